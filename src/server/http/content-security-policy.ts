/**
 * Nothing but the app's own code runs, and WebAssembly compiles. connect-src lets through what a person types in: models
 * and pictures at any address, and data services, which in a workshop are often on plain http. Nothing else is asked of any host.
 */
export const contentSecurityPolicy = Object.entries({
  'default-src': "'none'",
  'script-src': "'self' 'wasm-unsafe-eval'",
  'worker-src': "'self'",
  'style-src': "'self'",
  // Chromium styles the text it carries over when a selection in an editor is typed over, and would log that as refused.
  'style-src-attr': "'unsafe-inline'",
  'img-src': "'self' blob: data:",
  'media-src': "'self' blob: data:",
  'font-src': "'self'",
  'manifest-src': "'self'",
  'connect-src': "'self' blob: data: https: http:",
  'base-uri': "'none'",
  'form-action': "'none'",
})
  .map(([directive, sources]) => `${directive} ${sources}`)
  .join('; ');
