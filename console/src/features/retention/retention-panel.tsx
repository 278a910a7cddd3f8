import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Archive } from 'lucide-react'
import { Suspense, useState } from 'react'
import { meQuery } from '../../api/documents.ts'
import { managesRecords } from '../../api/people.ts'
import { isIndefinite } from '../../api/retention.ts'
import { type Document, propertyOf } from '../../api/types.ts'
import { Button } from '../../ui/button.tsx'
import { FactList } from '../../ui/fact-list.tsx'
import { Panel } from '../../ui/panel.tsx'
import { useFormats } from '../../words/formats.ts'
import { useFieldNames } from '../forms/words.ts'
import { later } from '../problems/later.tsx'
import { DetachButton } from './detach-button.tsx'
import styles from './retention.module.css'
import { ruleIn } from './rule.ts'
import { usePeriodWords } from './use-rule-words.ts'
import { useRetentionWords } from './words.ts'

const AttachDialog = later(async () => (await import('./attach-dialog.tsx')).AttachDialog, { isOver: true })

/** Of a record: which rule keeps it, until when, and what can be done about that. */
export function RetentionPanel({ document }: { readonly document: Document }) {
  const say = useRetentionWords()
  const { isRecord, hasLegalHold, contextParameters } = document
  const { mayAttach = false, mayDetach = false } = contextParameters?.retention ?? {}
  const isKept = isRecord || hasLegalHold
  if (document.isTrashed || !(isKept || mayAttach)) return null
  return (
    <Panel title={say('retention')}>
      {isKept ? <RecordFacts document={document} /> : <p className={styles.quiet}>{say('notARecord')}</p>}
      {mayAttach || mayDetach ? (
        <div className={styles.actions}>
          {mayAttach ? <AttachButton document={document} /> : null}
          {mayDetach ? <DetachButton document={document} /> : null}
        </div>
      ) : null}
    </Panel>
  )
}

function AttachButton({ document }: { readonly document: Document }) {
  const say = useRetentionWords()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button onPress={() => setOpen(true)}>
        <Archive size={16} aria-hidden />
        {say('attach')}
      </Button>
      {isOpen ? (
        <Suspense>
          <AttachDialog document={document} onClose={() => setOpen(false)} />
        </Suspense>
      ) : null}
    </>
  )
}

function RecordFacts({ document }: { readonly document: Document }) {
  const say = useRetentionWords()
  const { moment } = useFormats()
  const actionName = useActionNames()
  const { isRecord, hasLegalHold } = document
  const attached = propertyOf(document, 'record_state:attached')
  const { endActions } = ruleIn(document.properties)
  return (
    <FactList>
      {isRecord ? (
        <>
          <dt>{say('rule')}</dt>
          <dd>
            <RuleName document={document} />
          </dd>
          {attached === undefined ? null : (
            <>
              <dt>{say('since')}</dt>
              <dd>{moment(attached)}</dd>
            </>
          )}
          <dt>{say('until')}</dt>
          <dd>
            <Until document={document} />
          </dd>
        </>
      ) : null}
      <dt>{say('hold')}</dt>
      <dd>{say(hasLegalHold ? 'onHold' : 'notOnHold')}</dd>
      {endActions.length === 0 ? null : (
        <>
          <dt>{say('atEnd')}</dt>
          <dd>{endActions.map(actionName).join(', ')}</dd>
        </>
      )}
    </FactList>
  )
}

/** Who writes rules is led to it. */
function RuleName({ document }: { readonly document: Document }) {
  const say = useRetentionWords()
  const { data: me } = useQuery(meQuery)
  const rule = document.contextParameters?.retention?.rule
  if (!rule) return say('noRule')
  if (rule.title === null) return say('ruleUnknown')
  if (me === undefined || !managesRecords(me)) return rule.title
  return (
    <Link to="/admin/$" params={{ _splat: `retention/${rule.id}` }}>
      {rule.title}
    </Link>
  )
}

function Until({ document }: { readonly document: Document }) {
  const say = useRetentionWords()
  const { moment } = useFormats()
  const inWords = usePeriodWords()
  const nameOf = useFieldNames(document.type)
  const { retainUntil } = document
  const { policy, event, period, metadata } = ruleIn(document.properties)
  if (retainUntil !== null) {
    if (!isIndefinite(retainUntil)) return moment(retainUntil)
    return policy === 'event_based' ? say('untilEvent', { event, period: inWords(period) }) : say('indefinitely')
  }
  const kept = propertyOf(document, 'record:retainUntil')
  if (kept !== undefined) return say('wasKept', { date: moment(kept) })
  return policy === 'metadata_based' ? say('notYet', { property: nameOf(metadata) }) : say('notKept')
}

const knownActions = {
  'Document.Trash': 'trash',
  'Document.Delete': 'delete',
  'Document.Lock': 'lock',
  'Document.Unlock': 'unlock',
} as const

/** What an action does to the document; one of a deployment is told by its name. */
function useActionNames(): (action: string) => string {
  const say = useRetentionWords()
  return (action) => (Object.hasOwn(knownActions, action) ? say(knownActions[action as keyof typeof knownActions]) : action)
}
