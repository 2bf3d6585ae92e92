//! The files that hold no exchange which can be replayed.

/// Files that hold no exchange that can be replayed, by the reason.
pub(crate) const REFUSED: &[(&str, &[&str])] = &[
    (
        "the body was stored parsed, and the bytes that were sent are lost",
        &[
            "js/packages/openinference-instrumentation-bedrock/test/recordings/should-handle-multi-modal-content-in-streaming-responses.json",
            "js/packages/openinference-instrumentation-bedrock/test/recordings/should-handle-multiple-tools-in-single-request.json",
            "tests/cassettes/test_embeddings/TestVoyageAI.test_embed_error.yaml",
            "tests/cassettes/test_tool_search/test_cross_provider_capability_replay[google-gemini-3-flash-preview-openai-responses-gpt-5.4].yaml",
            "tests/models/cassettes/test_bedrock/test_bedrock_model_usage_limit_not_exceeded.yaml",
            "tests/models/cassettes/test_bedrock_mantle/test_reused_tool_call_ids[stream].yaml",
            "tests/models/cassettes/test_bedrock_mantle/test_reused_tool_call_ids_gpt_5_5.yaml",
            "tests/models/cassettes/test_crusoe/test_crusoe_model_streaming.yaml",
            "tests/models/cassettes/test_crusoe/test_crusoe_tool_calling.yaml",
            "tests/models/cassettes/test_deepseek_responses/test_deepseek_responses[function_tool].yaml",
            "tests/models/cassettes/test_deepseek_responses/test_deepseek_responses[function_tool_stream].yaml",
            "tests/models/cassettes/test_google/test_google_model_file_search_grounding_gemini_3[True].yaml",
            "tests/models/cassettes/test_google/test_google_model_video_url_input.yaml",
            "tests/models/cassettes/test_openai/test_compatible_api_with_tool_calls_without_id.yaml",
            "tests/models/cassettes/test_openrouter/test_openrouter_errors_raised.yaml",
            "tests/models/cassettes/test_stream_close/test_cancel_recorded_provider_stream[huggingface].yaml",
            "tests/realtime/cassettes/test_azure_ws/test_webrtc_sideband_text_turn.yaml",
            "test/support/fixtures/google/gemini_embedding_001/embed_basic.json",
            "test/support/fixtures/google/gemini_live_2_5_flash/object_streaming.json",
            "test/support/fixtures/openrouter/google_gemini_2_0_flash_exp_free/multi_tool.json",
            "test/support/fixtures/openrouter/qwen_qwen3_coder_free/object_streaming.json",
            "agent/recordings/auth_2503977039/recording.har.yaml",
            "jetbrains/src/integrationTest/resources/recordings/documentCode_2994921345/recording.har.yaml",
            "recordings/rewrite-query_2689977722/recording.har.yaml",
            "test/support/fixtures/azure/claude_opus_4_1/basic.json",
            "test/support/fixtures/azure/codex_mini/tool_round_trip_2.json",
            "test/support/fixtures/azure/mai_ds_r1/tool_round_trip_1.json",
            "test/support/fixtures/google_vertex/claude_haiku_4_5_20251001/usage.json",
            "test/support/fixtures/openrouter/x_ai_grok_3_mini/reasoning_basic.json",
        ],
    ),
    (
        "this is JSON of no known recording: a reply without its request, or something else",
        &[
            "test/fixtures/har/invalid.json",
            "test-harness/src/testFixtures/resources/cassettes/bedrock/__files/model_us.amazon.nova-lite-v10_converse-d4ca11559e3b.json",
            "test-harness/src/testFixtures/resources/cassettes/openai/__files/chat_completions-30dce66613ab.json",
            "test/mitmproxy/data/corrupted_har/broken_headers.json",
            "tests/Fixtures/elevenlabs/speech-to-text-language-code-1.json",
            "tests/Fixtures/gemini/tts-flash-1-1.json",
            "packages/anthropic/src/__fixtures__/anthropic-advisor-stop-reasons.json",
            "packages/azure/src/__fixtures__/openai-file-search-tool.1.json",
            "packages/xai/src/responses/__fixtures__/xai-image-generation-tool.1.json",
        ],
    ),
    ("the request has no response", &["example/postDataConflict.har"]),
    (
        "the form was stored as fields, and the bytes that were sent are lost",
        &["test/e2e/pass/multipart-formdata.har", "tests/testthat/_vcr/anthropic-upload-file.yml"],
    ),
    (
        "the client's objects were stored, and the bytes of the reply are lost",
        &[
            "tests/integration/common/recordings/684a41c9b4a85a7ccd7693e926c7d55f97753b594ecd2f5aa6dd40e809ae2aca.json",
            "tests/integration/common/recordings/models-83953d70762b611d7b1e6ff232b53374ee7c35538fb0392cf9d92f27815c4fc6-c99eb79a.json",
            "tests/integration/interactions/recordings/36a00e747aef2ae388935ed0594b579735c5b0ca21f758c501c3c1985a1bb892.json",
            "tests/integration/responses/recordings/1a5a9da6382b176bc38f4f8a71701400d59ac9148fb1fda532b67e1dfde0ed0a.json",
        ],
    ),
    ("the body was not kept", &["tests/fixtures/someapi13.har"]),
    (
        "the body came from the browser's cache, not with this reply",
        &["test/mitmproxy/data/har_files/chrome.har", "test/mitmproxy/data/har_files/firefox.har"],
    ),
    (
        "this is a reply without its request",
        &[
            "tests/Fixtures/anthropic/stream-with-tools-3.sse",
            "tests/Fixtures/gemini/stream-basic-text-1.sse",
            "tests/Fixtures/groq/stream-with-tools-2.sse",
        ],
    ),
    ("this is no known recording", &["tests/Fixtures/groq/audio-from-path-text-1.json"]),
    (
        "messages over standard input and output are no HTTP exchanges",
        &["tests/otel_integrations/cassettes/test_claude_agent_sdk/tool_use_conversation.json"],
    ),
    (
        "messages of gRPC are no HTTP exchanges: their frames and trailers were not stored",
        &["tests/models/xai/cassettes/test_thinking/test_xai_grok_45_thinking.xai.yaml"],
    ),
    (
        "messages of a WebSocket are no HTTP exchanges, and they were stored parsed",
        &["tests/realtime/cassettes/test_gateway_ws/test_gateway_gemini_text_in_audio_out.yaml"],
    ),
    ("the request has no address", &["test-fixtures/good_zipped_one_track.cassette.json.gz"]),
    (
        "these are the events of a reply without their framing, and without its request",
        &["packages/alibaba/src/__fixtures__/alibaba-tool-call.chunks.txt"],
    ),
];
