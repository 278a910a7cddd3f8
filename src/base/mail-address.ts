// Narrower than RFC 5322: no quotes, remarks or lists, and nothing that could end a header or begin another address.
const addressPattern =
  /^[^\s@<>()[\],;:\\"\p{Cc}\p{Cf}]{1,64}@(?=.{1,253}$)[\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?(?:\.[\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?)*$/u

/** Whether a text is an address to which mail can be sent, and nothing beside it. */
export function isMailAddress(text: string): boolean {
  return text.length <= 320 && addressPattern.test(text)
}
