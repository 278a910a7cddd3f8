/**
 * A property's name as a literal. Names stand in the text of a statement and not among its values, because an index on
 * an expression serves only the very same expression.
 */
export function quoted(name: string): string {
  if (/['"\\]/.test(name)) throw new TypeError(`No name of a property: ${name}`)
  return `'${name}'`
}
