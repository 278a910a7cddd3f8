/**
 * Makes the identifiers that carry the vendor's word. Give the neutral form, as the specification writes it with
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
