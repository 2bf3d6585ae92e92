//! The names of the fields of Gemini's and Vertex's requests, as their references have them, in camel case.

/// Returns whether this is the name of a field. A field that is not known is compared as it is spelled.
pub(super) fn is_field(name: &str) -> bool {
    FIELDS.binary_search(&name).is_ok()
}

/// In order.
#[rustfmt::skip]
const FIELDS: &[&str] = &[
    "additionalProperties", "agent", "allOf", "allowedFunctionNames", "anyOf", "apiAuth",
    "apiKey", "args", "aspectRatio", "audio", "audioTimestamp", "auth",
    "authConfig", "authType", "autoTruncate", "automaticActivityDetection", "batch", "behavior",
    "blob", "bytesBase64Encoded", "cachedContent", "candidateCount", "category", "citationMetadata",
    "citations", "code", "codeExecution", "codeExecutionResult", "computerUse", "confidenceThreshold",
    "content", "contents", "contentsDelta", "customMetadata", "data", "dataStoreSpecs",
    "datastore", "default", "defs", "description", "disableAttribution", "displayName",
    "document", "documents", "dynamicRetrievalConfig", "dynamicThreshold", "elasticSearchParams", "embedContentConfig",
    "enableAffectiveDialog", "enableEnhancedCivicAnswers", "enableWidget", "endOffset", "endTime", "endpoint",
    "enterpriseWebSearch", "enum", "enumDescriptions", "environment", "example", "excludeDomains",
    "excludedPredefinedFunctions", "executableCode", "externalApi", "fileData", "fileId", "fileName",
    "fileSearch", "fileSearchStoreNames", "fileUri", "filter", "filterExpression", "format",
    "fps", "frequencyPenalty", "function", "functionCall", "functionCallingConfig", "functionCallingPreference",
    "functionDeclarations", "functionResponse", "gcsUri", "generateContentRequest", "generationConfig", "googleDriveConfig",
    "googleMaps", "googleSearch", "googleSearchRetrieval", "googleServiceAccountConfig", "headers", "httpBasicAuthConfig",
    "httpElement", "id", "image", "imageConfig", "imageOutputOptions", "imageSearch",
    "imageSize", "imageUrl", "includeServerSideToolInvocations", "includeThoughts", "index", "inlineData",
    "inlinedRequest", "inlinedRequests", "inlinedResponses", "inputConfig", "instances", "interval",
    "items", "key", "labels", "language", "languageCode", "languageHints",
    "latLng", "latitude", "license", "logprobs", "longitude", "maxItems",
    "maxLength", "maxNumResults", "maxOutputTokens", "maxProperties", "maximum", "mcpServers",
    "mediaId", "mediaResolution", "metadata", "metadataFilter", "method", "mimeType",
    "minContexts", "minItems", "minLength", "minProperties", "minimum", "mode",
    "model", "modelArmorConfig", "modelSelectionConfig", "multiSpeakerVoiceConfig", "name", "not",
    "nullable", "numTokens", "oauthConfig", "oidcConfig", "oneOf", "outcome",
    "output", "outputDimensionality", "outputMimeType", "parameters", "parametersJsonSchema", "part",
    "partMetadata", "partial", "partialArgs", "parts", "pattern", "personGeneration",
    "phrases", "place", "placeId", "prebuiltVoiceConfig", "prefixItems", "prefixPaths",
    "presencePenalty", "priority", "prominentPeople", "promptTemplateName", "properties", "propertyOrdering",
    "publicationDate", "ragCorpus", "ragFileIds", "ragResources", "ragRetrievalConfig", "rankService",
    "ranking", "rankingConfig", "ref", "request", "requests", "required",
    "resource", "response", "responseFormat", "responseJsonSchema", "responseLogprobs", "responseMimeType",
    "responseModalities", "responseSchema", "retrieval", "retrievalConfig", "role", "routingConfig",
    "safetySettings", "samplePreference", "scheduling", "searchTypes", "seed", "semanticSearchParams",
    "serviceTier", "signature", "similarityTopK", "simpleSearchParams", "speaker", "speakerVoiceConfigs",
    "speechConfig", "sseReadTimeout", "startIndex", "startOffset", "startTime", "stopSequences",
    "store", "streamFunctionCallArguments", "streamableHttpTransport", "systemInstruction", "task", "taskType",
    "temperature", "terminateOnClose", "text", "thinkingBudget", "thinkingConfig", "thinkingLevel",
    "thought", "thoughtSignature", "threshold", "thumbnail", "timeRangeFilter", "timeout",
    "title", "toolCall", "toolConfig", "toolResponse", "toolType", "tools",
    "topK", "topP", "topic", "type", "uniqueItems", "uri",
    "url", "urlContext", "useCase", "useMetadata", "validationConfig", "value",
    "vectorDistanceThreshold", "vectorSimilarityThreshold", "vertexAiSearch", "vertexRagStore", "videoMetadata", "voiceActivityDetection",
    "voiceConfig", "voiceConsentSignature", "voiceName", "voiceSampleAudio", "webSearch", "weight",
    "willContinue",
];

#[cfg(test)]
mod tests {
    use super::FIELDS;

    #[test]
    fn the_names_are_in_order() {
        assert!(FIELDS.is_sorted());
    }
}
