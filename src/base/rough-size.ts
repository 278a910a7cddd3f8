const sizeOfNumber = 8
const aroundMember = 4

/** About as many bytes as the value has in JSON. Documents inside were counted when they were written. */
export function roughSize(value: unknown): number {
  if (typeof value === 'string') return value.length + 2
  if (typeof value !== 'object' || value === null) return sizeOfNumber
  if (Array.isArray(value)) return value.reduce<number>((sum, item) => sum + 1 + sizeInside(item), 2)
  let size = 2
  for (const name in value) size += name.length + aroundMember + sizeInside((value as { [name: string]: unknown })[name])
  return size
}

function sizeInside(value: unknown): number {
  return isDocument(value) ? 0 : roughSize(value)
}

function isDocument(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'entity-type' in value && value['entity-type'] === 'document'
}
