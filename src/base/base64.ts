/**
 * Whether it is base64 with its padding, and nothing around it. Looked through for what does not belong there: an expression that repeats
 * a group keeps a place to come back to for each, and runs out of them after some megabytes.
 */
export function isBase64(text: string): boolean {
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0
  return text.length % 4 === 0 && !/[^A-Za-z0-9+/]/.test(padding === 0 ? text : text.slice(0, -padding))
}
