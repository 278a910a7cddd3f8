/** What of a document can be looked at beside itself, as addresses name it. */
export const documentTabIds = ['workflow', 'versions', 'publishing', 'permissions', 'history', 'trash'] as const

export type DocumentTabId = (typeof documentTabIds)[number]
