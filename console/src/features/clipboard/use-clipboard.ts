import { useSuspenseQuery } from '@tanstack/react-query'
import { useMemo, useSyncExternalStore } from 'react'
import { meQuery } from '../../api/documents.ts'
import { type Clipboard, emptyClipboard, parseClipboard, withDocuments, withoutDocuments } from './clipboard.ts'

const watchers = new Set<() => void>()

/** Other windows of the same person change it, too. */
function watch(watcher: () => void): () => void {
  watchers.add(watcher)
  addEventListener('storage', watcher)
  return () => {
    watchers.delete(watcher)
    removeEventListener('storage', watcher)
  }
}

function write(key: string, clipboard: Clipboard): void {
  if (clipboard.ids.length === 0) localStorage.removeItem(key)
  else localStorage.setItem(key, JSON.stringify(clipboard))
  for (const watcher of watchers) watcher()
}

/** What one has put aside to copy or move, kept in this browser, for oneself alone. */
export function useClipboard() {
  const { data: me } = useSuspenseQuery(meQuery)
  const key = `quire.clipboard.${me.id}`
  const text = useSyncExternalStore(watch, () => localStorage.getItem(key))
  return useMemo(() => {
    const current = () => parseClipboard(localStorage.getItem(key))
    return {
      ids: parseClipboard(text).ids,
      isCut: parseClipboard(text).isCut ?? false,
      /** In place of all that was there, as copying and cutting by keys does. */
      replace: (ids: readonly string[], isCut: boolean) =>
        write(key, { ...withDocuments(emptyClipboard, ids), ...(isCut && { isCut }) }),
      add: (ids: readonly string[]) => write(key, withDocuments(current(), ids)),
      remove: (ids: readonly string[]) => write(key, withoutDocuments(current(), ids)),
      clear: () => write(key, emptyClipboard),
    }
  }, [key, text])
}
