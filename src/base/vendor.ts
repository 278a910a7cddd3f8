/**
 * Makes the identifiers that carry the vendor's word. Give the neutral form, as the contract writes it with
 * `platform` (or `Platform`); back comes the form of this deployment.
 * @example
 * const vendored = vendorIdentifiers('acme')
 * vendored('platform-entity')                  // acme-entity
 * vendored('Platform-Transaction-Timeout')     // Acme-Transaction-Timeout
 */
export type VendorIdentifiers = (neutral: string) => string

export function vendorIdentifiers(word: string): VendorIdentifiers {
  const capitalised = word.charAt(0).toUpperCase() + word.slice(1)
  const made = new Map<string, string>()
  return (neutral) => {
    let identifier = made.get(neutral)
    if (identifier === undefined) {
      identifier = neutral.replace(/platform/, word).replace(/Platform/, capitalised)
      made.set(neutral, identifier)
    }
    return identifier
  }
}

/**
 * Whether an identifier is the neutral one with some word where that says `Platform`: clients of any deployment spell it with
 * their own.
 * @example
 * isFormOf('PlatformPrincipal.Get', 'AcmePrincipal.Get') // true
 */
export function isFormOf(neutral: string, identifier: string): boolean {
  const [start = '', end] = neutral.split('Platform')
  if (end === undefined || !identifier.startsWith(start) || !identifier.endsWith(end)) return false
  return /^[A-Z][A-Za-z]*$/.test(identifier.slice(start.length, identifier.length - end.length))
}
