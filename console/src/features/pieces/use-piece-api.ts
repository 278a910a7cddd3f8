import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useMemo, useSyncExternalStore } from 'react'
import type { PieceApi } from '../../../../src/console.ts'
import { call } from '../../api/client.ts'
import { documentKeys, meQuery } from '../../api/documents.ts'
import { tell } from '../../ui/toasts.tsx'
import { useLanguage } from '../../words/words.ts'
import { usePreferences } from '../profile/preferences.tsx'
import { usePieces } from './use-pieces.ts'

const darkness = matchMedia('(prefers-color-scheme: dark)')

function watchDarkness(watcher: () => void): () => void {
  darkness.addEventListener('change', watcher)
  return () => darkness.removeEventListener('change', watcher)
}

/**
 * What every component is handed, but for the way to fail, which its place has. It only ever grows: what a version had is there in all
 * later ones, as components stay as they were written.
 */
export function usePieceApi(): Omit<PieceApi, 'fail'> {
  const queries = useQueryClient()
  const router = useRouter()
  const language = useLanguage()
  const { theme, density } = usePreferences()
  const { data: me } = useQuery(meQuery)
  const { apiVersion } = usePieces()
  const isDark = useSyncExternalStore(watchDarkness, () => darkness.matches)
  return useMemo(() => {
    const { firstName, lastName } = (me?.properties ?? {}) as { readonly [name: string]: string | null | undefined }
    const id = me?.id ?? ''
    const addressFor = (path: string) => new URL(path, document.baseURI).pathname
    const documentAddress = ({ uid }: { readonly uid: string }) => addressFor(`doc/${encodeURIComponent(uid)}`)
    const pageAddress = (plugin: string, page: string, address = '') =>
      addressFor(`plugins/${encodeURIComponent(plugin)}/${encodeURIComponent(page)}/${address}`)
    return {
      version: apiVersion,
      session: {
        user: { id, name: [firstName, lastName].filter(Boolean).join(' ') || id, isAdministrator: me?.isAdministrator ?? false },
        call,
        documentsChanged: () => void queries.invalidateQueries({ queryKey: documentKeys.all }),
      },
      navigation: {
        toDocument: (target) => router.history.push(documentAddress(target)),
        toPage: (plugin, page, address) => router.history.push(pageAddress(plugin, page, address)),
        documentAddress,
        pageAddress,
      },
      theme: { mode: theme === 'system' ? (isDark ? 'dark' : 'light') : theme, density, language },
      toast: (text, kind = 'done') => tell({ text: String(text).slice(0, 1_000), kind }),
    }
  }, [queries, router, language, theme, density, me, apiVersion, isDark])
}
