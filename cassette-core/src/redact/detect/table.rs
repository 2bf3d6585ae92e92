//! The formats of credentials that can be told by their looks, from their issuers' documentation and what they issue.

use super::shape::{ALNUM, BASE64, DOTTED, HEX, HEX_DASH, Shape, UPPER, WORD, WORD_EQ};

/// What a rule demands beyond prefix, alphabet and length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Proof {
    /// Nothing.
    None,
    /// Some part looks drawn at random, so that `sk-learn-style-words` pass.
    Random,
    /// So many characters, a dot, so many more.
    Dotted(usize, usize),
    /// The header of a JSON web token, in base64.
    Claims,
    /// The number of a bot and a colon stand before.
    Telegram,
}

const fn shape(rule: &'static str, prefix: &'static str, alphabet: u128, min: usize, max: usize) -> Shape {
    Shape { rule, prefix, alphabet, min, max, proof: Proof::None }
}

const fn proved(
    rule: &'static str,
    prefix: &'static str,
    alphabet: u128,
    min: usize,
    max: usize,
    proof: Proof,
) -> Shape {
    Shape { rule, prefix, alphabet, min, max, proof }
}

/// No upper bound.
const ANY: usize = usize::MAX;

/// Every rule: its id, the prefix as issued, the alphabet and the length of what follows, and the proof it needs.
pub(crate) const SHAPES: &[Shape] = &[
    // Model providers.
    proved("anthropic-key", "sk-ant-", WORD, 24, ANY, Proof::Random),
    proved("openai-key", "sk-proj-", WORD, 24, ANY, Proof::Random),
    proved("openai-key", "sk-svcacct-", WORD, 24, ANY, Proof::Random),
    proved("openai-key", "sk-admin-", WORD, 24, ANY, Proof::Random),
    proved("openrouter-key", "sk-or-", WORD, 32, ANY, Proof::Random),
    proved("langfuse-key", "sk-lf-", HEX_DASH, 36, 36, Proof::None),
    proved("openai-key", "sk-", WORD, 20, ANY, Proof::Random),
    proved("secret-key", "sk_", WORD, 24, ANY, Proof::Random),
    shape("google-key", "AIza", WORD, 35, 35),
    proved("google-key", "AQ.Ab", WORD, 40, ANY, Proof::Random),
    shape("google-oauth-secret", "GOCSPX-", WORD, 24, 40),
    shape("google-oauth-token", "ya29.", DOTTED, 30, ANY),
    shape("google-oauth-token", "1//0", WORD, 40, ANY),
    shape("groq-key", "gsk_", ALNUM, 48, 56),
    shape("xai-key", "xai-", ALNUM, 60, 90),
    shape("perplexity-key", "pplx-", ALNUM, 40, 64),
    shape("huggingface-token", "hf_", ALNUM, 30, 40),
    shape("huggingface-token", "api_org_", ALNUM, 30, 40),
    shape("replicate-token", "r8_", ALNUM, 36, 38),
    proved("fireworks-key", "fw_", ALNUM, 20, 40, Proof::Random),
    shape("cerebras-key", "csk-", ALNUM, 40, 60),
    shape("anyscale-key", "esecret_", ALNUM, 30, 60),
    shape("nvidia-key", "nvapi-", WORD, 50, 80),
    proved("voyage-key", "pa-", WORD, 40, 50, Proof::Random),
    proved("voyage-key", "al-", WORD, 40, 50, Proof::Random),
    shape("tavily-key", "tvly-", WORD, 24, 60),
    shape("pinecone-key", "pcsk_", WORD, 50, 90),
    shape("jina-key", "jina_", WORD, 40, 80),
    shape("firecrawl-key", "fc-", HEX, 32, 32),
    proved("together-key", "tgp_v1_", WORD, 40, 50, Proof::Random),
    proved("runpod-key", "rpa_", ALNUM, 36, 60, Proof::Random),
    proved("chutes-key", "cpk_", DOTTED, 40, 160, Proof::Random),
    shape("baidu-key", "bce-v3/ALTAK-", BASE64, 40, 80),
    shape("langsmith-key", "lsv2_", WORD, 40, 50),
    shape("bedrock-key", "ABSKQmVkcm9ja0", BASE64, 60, ANY),
    shape("bedrock-key", "bedrock-api-key-", WORD_EQ, 60, ANY),
    shape("apify-token", "apify_api_", ALNUM, 30, 50),
    shape("e2b-key", "e2b_", HEX, 40, 40),
    proved("brave-key", "BSA", WORD, 27, 30, Proof::Random),
    shape("vercel-key", "vck_", ALNUM, 40, 70),
    shape("vercel-key", "vcp_", ALNUM, 24, 70),
    proved("exa-key", "exa_", WORD, 30, 60, Proof::Random),
    // Code and packages.
    shape("github-token", "ghp_", ALNUM, 36, 36),
    shape("github-token", "gho_", ALNUM, 36, 36),
    shape("github-token", "ghu_", ALNUM, 36, 36),
    shape("github-token", "ghs_", ALNUM, 36, 36),
    shape("github-token", "ghr_", ALNUM, 36, 76),
    shape("github-token", "github_pat_", WORD, 70, 90),
    shape("gitlab-token", "glpat-", DOTTED, 20, 60),
    shape("gitlab-token", "glrt-", DOTTED, 20, 60),
    shape("gitlab-token", "gldt-", DOTTED, 20, 60),
    shape("gitlab-token", "glcbt-", DOTTED, 20, 60),
    shape("gitlab-token", "glptt-", DOTTED, 20, 60),
    shape("gitlab-token", "glsoat-", DOTTED, 20, 60),
    shape("gitlab-token", "glft-", DOTTED, 20, 60),
    shape("gitlab-token", "glimt-", DOTTED, 20, 60),
    shape("gitlab-token", "glagent-", WORD, 50, 60),
    shape("gitlab-token", "GR1348941", WORD, 20, 22),
    shape("npm-token", "npm_", ALNUM, 36, 36),
    shape("pypi-token", "pypi-AgE", WORD, 60, ANY),
    shape("rubygems-key", "rubygems_", HEX, 48, 48),
    proved("crates-io-token", "cio", ALNUM, 32, 32, Proof::Random),
    shape("docker-token", "dckr_pat_", WORD, 24, 40),
    shape("docker-token", "dckr_oat_", WORD, 24, 40),
    shape("pulumi-token", "pul-", HEX, 40, 40),
    shape("atlassian-token", "ATATT3", WORD_EQ, 60, ANY),
    shape("atlassian-token", "ATCTT3", WORD_EQ, 60, ANY),
    proved("bitbucket-token", "ATBB", ALNUM, 32, 32, Proof::Random),
    shape("postman-key", "PMAK-", HEX_DASH, 59, 59),
    shape("linear-key", "lin_api_", ALNUM, 32, 48),
    shape("linear-key", "lin_oauth_", ALNUM, 32, 70),
    shape("figma-token", "figd_", WORD, 36, 60),
    proved("notion-token", "ntn_", ALNUM, 40, 60, Proof::Random),
    proved("notion-token", "secret_", ALNUM, 43, 43, Proof::Random),
    proved("airtable-token", "pat", DOTTED, 79, 79, Proof::Dotted(14, 64)),
    shape("sentry-token", "sntryu_", HEX, 64, 64),
    shape("sentry-token", "sntrys_", WORD_EQ, 60, ANY),
    // Clouds and infrastructure.
    shape("aws-access-key", "AKIA", UPPER, 16, 16),
    shape("aws-access-key", "ASIA", UPPER, 16, 16),
    shape("aws-access-key", "ABIA", UPPER, 16, 16),
    shape("aws-access-key", "ACCA", UPPER, 16, 16),
    shape("aws-session-token", "IQoJb3JpZ2lu", BASE64, 100, ANY),
    shape("aws-session-token", "FwoGZXIvYXdz", BASE64, 100, ANY),
    shape("aws-session-token", "FQoGZXIvYXdz", BASE64, 100, ANY),
    proved("alibaba-key", "LTAI", ALNUM, 12, 24, Proof::Random),
    proved("tencent-key", "AKID", ALNUM, 32, 32, Proof::Random),
    shape("digitalocean-token", "dop_v1_", HEX, 64, 64),
    shape("digitalocean-token", "doo_v1_", HEX, 64, 64),
    shape("digitalocean-token", "dor_v1_", HEX, 64, 64),
    shape("databricks-token", "dapi", HEX_DASH, 32, 34),
    shape("doppler-token", "dp.", DOTTED, 42, 70),
    shape("heroku-key", "HRKU-", WORD, 58, 64),
    shape("vault-token", "hvs.", WORD, 24, ANY),
    shape("vault-token", "hvb.", WORD, 60, ANY),
    shape("planetscale-token", "pscale_", DOTTED, 36, 80),
    shape("supabase-key", "sb_secret_", WORD, 24, 50),
    shape("supabase-key", "sbp_", HEX, 40, 40),
    shape("grafana-token", "glsa_", WORD, 41, 41),
    shape("grafana-token", "glc_eyJ", WORD_EQ, 40, ANY),
    shape("newrelic-key", "NRAK-", UPPER, 27, 27),
    shape("fly-token", "fm2_", BASE64, 60, ANY),
    proved("netlify-token", "nfp_", ALNUM, 36, 40, Proof::Random),
    proved("render-key", "rnd_", ALNUM, 24, 40, Proof::Random),
    shape("tailscale-key", "tskey-", WORD, 24, 80),
    shape("age-key", "AGE-SECRET-KEY-1", UPPER, 58, 58),
    shape("onepassword-token", "ops_eyJ", WORD_EQ, 100, ANY),
    proved("artifactory-key", "AKCp", ALNUM, 60, 80, Proof::Random),
    // Business services.
    proved("slack-token", "xoxb-", WORD, 20, ANY, Proof::Random),
    proved("slack-token", "xoxp-", WORD, 20, ANY, Proof::Random),
    proved("slack-token", "xoxa-", WORD, 20, ANY, Proof::Random),
    proved("slack-token", "xoxr-", WORD, 20, ANY, Proof::Random),
    proved("slack-token", "xoxs-", WORD, 20, ANY, Proof::Random),
    proved("slack-token", "xoxe-", WORD, 20, ANY, Proof::Random),
    proved("slack-token", "xoxc-", WORD, 20, ANY, Proof::Random),
    proved("slack-token", "xapp-", WORD, 30, ANY, Proof::Random),
    proved("stripe-key", "sk_live_", ALNUM, 16, ANY, Proof::Random),
    proved("stripe-key", "sk_test_", ALNUM, 16, ANY, Proof::Random),
    proved("stripe-key", "rk_live_", ALNUM, 16, ANY, Proof::Random),
    proved("stripe-key", "rk_test_", ALNUM, 16, ANY, Proof::Random),
    proved("webhook-secret", "whsec_", BASE64, 24, 80, Proof::Random),
    shape("square-token", "EAAA", WORD, 60, 60),
    shape("square-token", "sq0atp-", WORD, 22, 22),
    shape("square-token", "sq0csp-", WORD, 43, 43),
    shape("shopify-token", "shpat_", HEX, 32, 32),
    shape("shopify-token", "shpss_", HEX, 32, 32),
    shape("shopify-token", "shpca_", HEX, 32, 32),
    shape("shopify-token", "shppa_", HEX, 32, 32),
    shape("twilio-key", "SK", HEX, 32, 32),
    proved("sendgrid-key", "SG.", DOTTED, 66, 66, Proof::Dotted(22, 43)),
    shape("mailgun-key", "key-", HEX, 32, 32),
    shape("brevo-key", "xkeysib-", HEX_DASH, 70, 90),
    shape("mailchimp-key", "md-", ALNUM, 22, 22),
    shape("hubspot-token", "pat-na1-", HEX_DASH, 36, 36),
    shape("hubspot-token", "pat-eu1-", HEX_DASH, 36, 36),
    shape("posthog-key", "phx_", ALNUM, 30, 60),
    shape("mapbox-token", "sk.eyJ", DOTTED, 50, ANY),
    proved("telegram-token", "AA", WORD, 32, 36, Proof::Telegram),
    proved("supermemory-key", "sm_", WORD, 40, 100, Proof::Random),
    shape("easypost-key", "EZAK", ALNUM, 54, 54),
    shape("flutterwave-key", "FLWSECK-", ALNUM, 32, 40),
    shape("typeform-token", "tfp_", WORD, 40, 70),
    proved("dropbox-token", "sl.", WORD, 100, ANY, Proof::Random),
    shape("browserbase-key", "bb_live_", WORD, 24, 50),
    // Tokens that carry their claims.
    proved("jwt", "eyJ", DOTTED, 20, ANY, Proof::Claims),
];

/// A text in the middle of a credential: what stands before it and after it, at most and at least.
#[derive(Debug)]
pub(crate) struct Infix {
    pub(crate) rule: &'static str,
    pub(crate) mark: &'static str,
    pub(crate) alphabet: u128,
    pub(crate) before: (usize, usize),
    pub(crate) after: (usize, usize),
}

/// Credentials told by something in their middle.
pub(crate) const INFIXES: &[Infix] = &[
    Infix { rule: "openai-key", mark: "T3BlbkFJ", alphabet: WORD, before: (20, 120), after: (20, 120) },
    Infix { rule: "azure-key", mark: "JQQJ99", alphabet: ALNUM, before: (52, 52), after: (26, 26) },
    Infix { rule: "azure-client-secret", mark: "Q~", alphabet: super::shape::TILDE, before: (4, 4), after: (28, 36) },
    Infix { rule: "terraform-token", mark: ".atlasv1.", alphabet: WORD_EQ, before: (14, 14), after: (60, 70) },
];

/// Returns whether credentials of this kind are told by their looks alone, wherever they stand.
pub(crate) fn is_by_looks(kind: &str) -> bool {
    SHAPES.iter().map(|shape| shape.rule).chain(INFIXES.iter().map(|infix| infix.rule)).any(|rule| rule == kind)
}

/// Values published as examples, which are nobody's.
pub(crate) const EXAMPLES: &[&str] = &[
    "AKIAIOSFODNN7EXAMPLE",
    "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4gRG9lIiwiaWF0IjoxNTE2MjM5MDIyfQ.SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c",
];

/// The digits before a Telegram token's colon.
pub(crate) const TELEGRAM_ID: std::ops::RangeInclusive<usize> = 8..=10;
