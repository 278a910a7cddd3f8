/**
 * Where the console shows what an address names: `ID`, `ID/VIEW`, or a path that may end with `@VIEW`. Views are those of other user
 * interfaces, and a path may have an `@` of its own anywhere else.
 */
export function consolePathOf(kind: 'nxdoc' | 'nxpath', address: string): string {
  const [first = ''] = address.split('/', 1)
  if (kind === 'nxdoc') return `doc/${encodeURIComponent(first)}`
  const path = address.replace(/@[\w.-]*$/, '')
  return `browse/${path.split('/').filter(Boolean).map(encodeURIComponent).join('/')}`
}
