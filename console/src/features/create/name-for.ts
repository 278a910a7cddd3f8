const longest = 60

/** A segment of the path that people can read and type; the server makes it unlike its neighbours. */
export function nameFor(title: string): string {
  const plain = title.normalize('NFKD').replaceAll(/\p{M}/gu, '')
  const name = plain
    .replaceAll(/[/\\]+/g, '-')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, longest)
    .trim()
  return name === '' || name === '.' || name === '..' ? 'untitled' : name
}
