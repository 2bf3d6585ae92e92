use async_openai::{Client, config::OpenAIConfig};
use cassette_test::{Cassette, cassette};

#[cassette("models")]
#[tokio::test]
async fn the_model_is_there(cassette: Cassette) {
    let config = OpenAIConfig::new()
        .with_api_base(cassette.base_url("https://api.openai.com/v1"))
        .with_api_key(cassette.secret("OPENAI_API_KEY"));
    let model: serde_json::Value = Client::with_config(config).models().retrieve_byot("gpt-4o-mini").await.unwrap();
    assert_eq!(model["id"], "gpt-4o-mini");
}
