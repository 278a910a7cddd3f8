/**
 * The name of a file without anything that could lead out of the folder it is put into: `../../x`, `C:\x`, `C:x`. Empty when nothing
 * is left of it.
 */
export function plainFileName(name: string): string {
  const last = name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1)
  const visible = last
    .replace(/\p{Cc}/gu, '')
    .trim()
    .normalize('NFC')
    .toWellFormed()
  return visible === '.' || visible === '..' ? '' : visible.replace(/^([a-z]):/i, '$1_')
}
