const mark = /\._([0-9]{13,})_\.trashed$/

/** When a document was put into the trash, which its name tells; undefined for what lies in such a one. */
export function trashedAt(path: string | null): string | undefined {
  const milliseconds = mark.exec(path ?? '')?.[1]
  if (milliseconds === undefined) return undefined
  const date = new Date(Number(milliseconds))
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString()
}
