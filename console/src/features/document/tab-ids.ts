/** What of a document can be looked at beside itself, as addresses name it. */
export const documentTabIds = ['permissions', 'history'] as const

export type DocumentTabId = (typeof documentTabIds)[number]
