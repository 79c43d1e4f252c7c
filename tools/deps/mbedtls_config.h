// Laid over mbedTLS's own configuration. The resolver, delivery and control threads share PSA's key
// store.
#define MBEDTLS_THREADING_C
#define MBEDTLS_THREADING_PTHREAD
