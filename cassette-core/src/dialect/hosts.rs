//! Who answers at a host.

use super::address::{Address, glob};

/// Hosts, in the notation of [`glob`], and the provider that answers there. The first that fits decides.
const HOSTS: &[(&str, &str)] = &[
    ("api.openai.com", "openai"),
    ("*.api.openai.com", "openai"),
    ("api.anthropic.com", "anthropic"),
    ("generativelanguage.googleapis.com", "gemini"),
    ("aiplatform.googleapis.com", "vertex"),
    ("*-aiplatform.googleapis.com", "vertex"),
    ("aiplatform.*.googleapis.com", "vertex"),
    ("models.inference.ai.azure.com", "github"),
    ("models.github.ai", "github"),
    ("*.githubcopilot.com", "copilot"),
    ("*.openai.azure.com", "azure"),
    ("*.openai.azure.us", "azure"),
    ("*.cognitiveservices.azure.com", "azure"),
    ("*.services.ai.azure.com", "azure"),
    ("*.ai.azure.com", "azure"),
    ("*.azure-api.net", "azure"),
    ("bedrock-mantle.*.api.aws", "bedrock"),
    ("bedrock-*.amazonaws.com*", "bedrock"),
    ("api.cohere.com", "cohere"),
    ("api.cohere.ai", "cohere"),
    ("*.mistral.ai", "mistral"),
    ("ollama.com", "ollama"),
    ("*.ollama.com", "ollama"),
    ("api.groq.com", "groq"),
    ("api.x.ai", "xai"),
    ("*.api.x.ai", "xai"),
    ("api.deepseek.com", "deepseek"),
    ("openrouter.ai", "openrouter"),
    ("api.together.xyz", "together"),
    ("api.together.ai", "together"),
    ("api.fireworks.ai", "fireworks"),
    ("api.perplexity.ai", "perplexity"),
    ("huggingface.co", "huggingface"),
    ("*.huggingface.co", "huggingface"),
    ("*.huggingface.cloud", "huggingface"),
    ("api.z.ai", "zai"),
    ("open.bigmodel.cn", "zai"),
    ("api.moonshot.*", "moonshot"),
    ("dashscope*.aliyuncs.com", "alibaba"),
    ("api.cerebras.ai", "cerebras"),
    ("integrate.api.nvidia.com", "nvidia"),
    ("api.sambanova.ai", "sambanova"),
    ("api.deepinfra.com", "deepinfra"),
    ("api.novita.ai", "novita"),
    ("api.hyperbolic.xyz", "hyperbolic"),
    ("api.inference.crusoecloud.com", "crusoe"),
    ("api.doubleword.ai", "doubleword"),
    ("api.avian.io", "avian"),
    ("api.writer.com", "writer"),
    ("api.ai21.com", "ai21"),
    ("api.minimax*", "minimax"),
    ("api.aleph-alpha.com", "aleph-alpha"),
    ("api.voyageai.com", "voyageai"),
    ("api.jina.ai", "jina"),
    ("api.replicate.com", "replicate"),
    ("*.ml.cloud.ibm.com", "watsonx"),
    ("*.snowflakecomputing.com", "snowflake"),
    ("sourcegraph.com", "sourcegraph"),
    ("*.sourcegraph.com", "sourcegraph"),
    ("*.sourcegraphcloud.com", "sourcegraph"),
    ("api.portkey.ai", "portkey"),
    ("ai-gateway.vercel.sh", "vercel"),
];

/// Ports on which a server listens that has no host of its own.
const PORTS: &[(&str, &str)] = &[("11434", "ollama")];

/// Hosts of which a provider lends the name to whoever wants one: what answers there may be any service.
const LENT: &[&str] = &["*.azure-api.net", "*.huggingface.cloud", "*.snowflakecomputing.com"];

/// Returns whether a path means what the provider means by it: at a host that is lent to others it need not.
pub(super) fn is_its_own(address: &Address<'_>) -> bool {
    provider(address).is_some() && !LENT.iter().any(|host| glob(host, &address.host))
}

/// Returns the provider that answers at this address, if its host or port is known.
pub(super) fn provider(address: &Address<'_>) -> Option<&'static str> {
    let host = HOSTS.iter().find(|(host, _)| glob(host, &address.host));
    host.or_else(|| PORTS.iter().find(|(port, _)| *port == address.port)).map(|(_, provider)| *provider)
}
