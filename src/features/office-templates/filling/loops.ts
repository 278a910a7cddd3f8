import type { TemplateMark } from '../../rendering/index.ts'
import type { OfficeFamily } from './office-family.ts'
import { insertBeside, marksBelow, upwards, type XmlElement, type XmlMark } from './xml-tree.ts'

/**
 * Puts a list around each row, or where there is none around each paragraph, in which a placeholder names one of the parameters that are to be
 * looped over. Inside of it the name means an item.
 */
export function loopAround(root: XmlElement, family: OfficeFamily, parameters: ReadonlySet<string>): void {
  if (parameters.size === 0) return
  const looped = new Map<XmlElement, Set<string>>()
  const inLists: string[] = []
  for (const mark of marksBelow(root)) {
    if (mark.mark.kind === 'list') inLists.push(mark.mark.item)
    else if (mark.mark.kind === 'end' && mark.mark.of !== 'branch') inLists.pop()
    const name = nameIn(mark.mark)
    if (name === undefined || !parameters.has(name) || inLists.includes(name)) continue
    const around = [...upwards(mark.parent)]
    const repeated = around.find((one) => family.rows.has(one.name)) ?? around.find((one) => family.repeated.has(one.name))
    if (repeated === undefined || looped.get(repeated)?.has(name)) continue
    looped.set(repeated, (looped.get(repeated) ?? new Set()).add(name))
    surround(repeated, name, mark)
  }
}

/** What the placeholder begins with. */
function nameIn(mark: TemplateMark): string | undefined {
  return mark.kind === 'value' ? /^[A-Za-z_]\w*/.exec(mark.expression)?.[0] : undefined
}

function surround(element: XmlElement, name: string, { place, parent }: XmlMark): void {
  insertBeside(element, 'before', { kind: 'mark', mark: { kind: 'list', expression: name, item: name }, place, parent })
  insertBeside(element, 'after', { kind: 'mark', mark: { kind: 'end', of: 'list' }, place, parent })
}
