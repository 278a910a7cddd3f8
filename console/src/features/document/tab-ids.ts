/** What of a document can be looked at beside itself, as addresses name it. */
export const documentTabIds = ['workflow', 'versions', 'publishing', 'permissions', 'history', 'trash'] as const

/** One that a plugin adds is named by both, as `invoices.payment`. */
export type DocumentTabId = (typeof documentTabIds)[number] | `${string}.${string}`

export function parseTabId(tab: unknown): DocumentTabId | undefined {
  const isOfPlugin = typeof tab === 'string' && /^[a-z][a-z0-9-]{0,63}\.[a-z][a-z0-9-]{0,63}$/.test(tab)
  return isOfPlugin ? (tab as DocumentTabId) : documentTabIds.find((one) => one === tab)
}
