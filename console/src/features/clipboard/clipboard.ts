/** As many as one operation takes without keeping somebody waiting. */
export const clipboardSize = 500

export interface Clipboard {
  /** In the order in which they were put there. Only ids: what they are is asked for with the rights that one has by then. */
  readonly ids: readonly string[]
  /** They were cut: what is pasted leaves where it was. */
  readonly isCut?: boolean
}

export const emptyClipboard: Clipboard = { ids: [] }

/** Each once, the last ones where there are too many. */
export function withDocuments({ ids }: Clipboard, added: readonly string[]): Clipboard {
  const fresh = new Set(added)
  return { ids: [...ids.filter((id) => !fresh.has(id)), ...fresh].slice(-clipboardSize) }
}

export function withoutDocuments({ ids }: Clipboard, removed: readonly string[]): Clipboard {
  const gone = new Set(removed)
  return { ids: ids.filter((id) => !gone.has(id)) }
}

/** What was stored, also by an earlier release or a hand: whatever is no list of ids is nothing. */
export function parseClipboard(text: string | null): Clipboard {
  if (text === null) return emptyClipboard
  try {
    const stored: unknown = JSON.parse(text)
    const { ids = stored, isCut } = (stored ?? {}) as { readonly ids?: unknown; readonly isCut?: unknown }
    if (!Array.isArray(ids)) return emptyClipboard
    return { ...withDocuments(emptyClipboard, ids.filter(isId)), ...(isCut === true && { isCut }) }
  } catch {
    return emptyClipboard
  }
}

const isId = (value: unknown): value is string => typeof value === 'string' && /^[0-9a-zA-Z-]{1,64}$/.test(value)
