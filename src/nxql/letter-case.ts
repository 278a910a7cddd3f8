/**
 * Lower case letter by letter: the same letter has one lower case wherever it stands, so that a text and any part of it are
 * lowered alike. `toLowerCase` of a whole text would write the sigma at the end of a Greek word differently.
 */
export function lowerCase(text: string): string {
  return text.includes('Σ') ? text.replaceAll('Σ', 'σ').toLowerCase() : text.toLowerCase()
}
