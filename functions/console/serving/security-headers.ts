export interface HeaderRules {
  /** The origins of pictures besides the console itself. */
  readonly imageOrigins: readonly string[];
  /** The origins to which the script puts parts of files. */
  readonly uploadOrigins: readonly string[];
}

const PERMISSIONS = ['camera', 'display-capture', 'geolocation', 'microphone', 'payment', 'usb', 'fullscreen'];

/** The security headers of every response. */
export function securityHeaders({ imageOrigins, uploadOrigins }: HeaderRules): Record<string, string> {
  return {
    'content-security-policy': [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "font-src 'self'",
      `img-src ${["'self'", ...imageOrigins].join(' ')}`,
      `connect-src ${["'self'", ...uploadOrigins].join(' ')}`,
      "form-action 'self'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
      "trusted-types 'none'",
    ].join('; '),
    // `no-referrer` would make the Origin of our own forms `null`.
    'referrer-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': PERMISSIONS.map((name) => `${name}=()`).join(', '),
  };
}
