import { useQuery } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { call } from '../../api/client.ts'
import { documentKeys } from '../../api/documents.ts'
import { type Document, hasFacet, titleOf } from '../../api/types.ts'
import { Button } from '../../ui/button.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { DocumentLink } from '../documents/document-link.tsx'
import { Shown } from '../problems/shown.tsx'
import styles from './collections-panel.module.css'
import { useMembership } from './use-collections.ts'
import { useCollectionWords } from './words.ts'

/** The collections that a document is in, beside it. */
export function CollectionsPanel({ document }: { readonly document: Document }) {
  const say = useCollectionWords()
  const { remove } = useMembership()
  const isCollectable = !hasFacet(document, 'NotCollectionMember')
  const query = useQuery({
    queryKey: [...documentKeys.all, 'collections', 'of', document.uid],
    queryFn: ({ signal }) =>
      call<Document>(`id/${document.uid}`, { signal, headers: { 'enrichers.document': 'collections', depth: 'children' } }),
    enabled: isCollectable,
  })
  if (!isCollectable) return null
  return (
    <Panel title={say('title')}>
      <Shown query={query} waiting={<Skeleton />}>
        {({ contextParameters: { collections = [] } = {} }) => {
          const shown = collections.filter(({ type }) => type !== 'Favorites')
          if (shown.length === 0) return <p className={styles.quiet}>{say('inNone')}</p>
          return (
            <ul className={styles.list}>
              {shown.map((collection) => (
                <li key={collection.uid}>
                  <DocumentLink document={collection} />
                  <Button
                    look="quiet"
                    aria-label={say('removeOne', { name: titleOf(collection) })}
                    onPress={() => remove({ ids: [document.uid], collection })}
                  >
                    <X size={14} aria-hidden />
                  </Button>
                </li>
              ))}
            </ul>
          )
        }}
      </Shown>
    </Panel>
  )
}
