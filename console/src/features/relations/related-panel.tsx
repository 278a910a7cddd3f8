import { useQuery } from '@tanstack/react-query'
import { Link2, X } from 'lucide-react'
import { useState } from 'react'
import { entriesQuery } from '../../api/definitions.ts'
import { type Document, hasFacet, isAllowed, titleOf } from '../../api/types.ts'
import { Button } from '../../ui/button.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useLanguage } from '../../words/words.ts'
import { DocumentLink } from '../documents/document-link.tsx'
import { Shown } from '../problems/shown.tsx'
import { publicationsQuery, sectionOf } from '../publishing/use-publishing.ts'
import { RelateDialog } from './relate-dialog.tsx'
import styles from './related-panel.module.css'
import { type Relation, relationsQuery, useRelating } from './use-relations.ts'
import { useRelationWords } from './words.ts'

/** What a document has to do with others: what it is related to, what is related to it, and where it is published. */
export function RelatedPanel({ document }: { readonly document: Document }) {
  const say = useRelationWords()
  const [isRelating, setRelating] = useState(false)
  const query = useQuery(relationsQuery(document.uid))
  const mayChange = isAllowed(document, 'WriteProperties') && !hasFacet(document, 'Immutable') && !document.isTrashed
  return (
    <Panel
      title={say('title')}
      actions={
        mayChange ? (
          <Button look="quiet" onPress={() => setRelating(true)}>
            <Link2 size={16} aria-hidden />
            {say('relate')}
          </Button>
        ) : null
      }
    >
      <Shown query={query} waiting={<Skeleton />}>
        {(relations) =>
          relations.length === 0 ? (
            <p className={styles.quiet}>{say('none')}</p>
          ) : (
            <Relations document={document} relations={relations} mayChange={mayChange} />
          )
        }
      </Shown>
      {hasFacet(document, 'Publishable') && !document.isProxy ? <Publications document={document} /> : null}
      {isRelating ? <RelateDialog document={document} onClose={() => setRelating(false)} /> : null}
    </Panel>
  )
}

interface RelationsProps {
  readonly document: Document
  readonly relations: readonly Relation[]
  readonly mayChange: boolean
}

function Relations({ document, relations, mayChange }: RelationsProps) {
  const say = useRelationWords()
  const { remove } = useRelating(document.uid)
  const nameOf = usePredicateNames()
  return (
    <ul className={styles.list}>
      {relations.map((relation) => (
        <li key={`${relation.predicate} ${relation.outgoing} ${relation.document.uid}`}>
          <span className={styles.kind}>{nameOf(relation)}</span>
          <DocumentLink document={relation.document} isReached />
          {mayChange ? (
            <Button
              look="quiet"
              aria-label={say('unrelate', { title: titleOf(relation.document) })}
              onPress={() => remove(relation)}
            >
              <X size={14} aria-hidden />
            </Button>
          ) : null}
        </li>
      ))}
    </ul>
  )
}

/** What a relation is called from the end that one looks from. */
function usePredicateNames(): (relation: Pick<Relation, 'predicate' | 'outgoing'>) => string {
  const say = useRelationWords()
  const language = useLanguage()
  const { data: outgoing = [] } = useQuery(entriesQuery('predicates', { language }))
  const { data: incoming = [] } = useQuery(entriesQuery('inverse_predicates', { language }))
  return ({ predicate, outgoing: isOutgoing }) => {
    const known = (isOutgoing ? outgoing : incoming).find(({ value }) => value === predicate)
    return known?.label ?? (isOutgoing ? predicate : say('from', { predicate }))
  }
}

/** Sections in which a version of it is shown. */
function Publications({ document }: { readonly document: Document }) {
  const say = useRelationWords()
  const query = useQuery(publicationsQuery(document.uid))
  return (
    <Shown query={query} waiting={null}>
      {({ entries }) =>
        entries.length === 0 ? null : (
          <ul className={styles.list}>
            {entries.map((publication) => (
              <li key={publication.uid}>
                <span className={styles.kind}>{say('publishedIn')}</span>
                <DocumentLink document={{ ...publication, title: sectionOf(publication), type: 'Section' }} isReached />
              </li>
            ))}
          </ul>
        )
      }
    </Shown>
  )
}
