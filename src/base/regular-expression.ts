/** Whether a configured text can be used as one. */
export function isRegularExpression(text: string): boolean {
  try {
    return new RegExp(text).source !== ''
  } catch {
    return false
  }
}
