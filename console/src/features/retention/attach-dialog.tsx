import { useQuery } from '@tanstack/react-query'
import { Archive } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { useDocumentChange } from '../../api/changes.ts'
import { attachableRulesQuery, attachRule } from '../../api/retention.ts'
import { type Document, propertyOf, titleOf } from '../../api/types.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog/dialog.tsx'
import { Message } from '../../ui/message.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { tell } from '../../ui/toasts.tsx'
import { Shown } from '../problems/shown.tsx'
import { told } from '../problems/told.ts'
import styles from './retention.module.css'
import { ruleIn } from './rule.ts'
import { useRuleSummary } from './use-rule-words.ts'
import { useRetentionWords } from './words.ts'

export interface AttachDialogProps {
  readonly document: Document
  onClose(): void
}

/** Offers the rules that the server would take for the document. */
export function AttachDialog({ document, onClose }: AttachDialogProps) {
  const say = useRetentionWords()
  const query = useQuery(attachableRulesQuery(document))
  return (
    <Dialog title={say('attachTitle')} isOpen onClose={onClose}>
      <Shown query={query} waiting={<Skeleton />}>
        {({ entries }) =>
          entries.length === 0 ? (
            <>
              <Message icon={Archive} title={say('noRules')}>
                <p>{say('noRulesHint')}</p>
              </Message>
              <DialogActions>
                <Button onPress={onClose}>{say('cancel')}</Button>
              </DialogActions>
            </>
          ) : (
            <RuleChoice document={document} rules={entries} onClose={onClose} />
          )
        }
      </Shown>
    </Dialog>
  )
}

function RuleChoice({ document, rules, onClose }: AttachDialogProps & { readonly rules: readonly Document[] }) {
  const say = useRetentionWords()
  const [chosen, setChosen] = useState<Document>()
  const attach = useDocumentChange(attachRule)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (chosen === undefined) return
    told(attach.mutateAsync({ id: document.uid, rule: chosen.uid }), () => {
      tell({ text: say('attached', { rule: titleOf(chosen) }) })
      onClose()
    })
  }
  return (
    <form onSubmit={submit} style={{ display: 'contents' }}>
      <p className={styles.quiet}>{say('attachHint')}</p>
      <fieldset className={styles.rules}>
        <legend>{say('which')}</legend>
        {rules.map((rule) => (
          <RuleLine key={rule.uid} rule={rule} isChosen={rule === chosen} onChoose={() => setChosen(rule)} />
        ))}
      </fieldset>
      <DialogActions>
        <Button onPress={onClose}>{say('cancel')}</Button>
        <Button look="main" type="submit" isDisabled={chosen === undefined} isPending={attach.isPending}>
          {say('attach')}
        </Button>
      </DialogActions>
    </form>
  )
}

interface RuleLineProps {
  readonly rule: Document
  readonly isChosen: boolean
  onChoose(): void
}

function RuleLine({ rule, isChosen, onChoose }: RuleLineProps) {
  const say = useRetentionWords()
  const summaryOf = useRuleSummary()
  const description = propertyOf(rule, 'dc:description')
  const isFlexible = propertyOf<boolean>(rule, 'retention_rule:flexibleRecords') === true
  return (
    <label>
      <input type="radio" name="rule" checked={isChosen} onChange={onChoose} />
      <span>
        {titleOf(rule)}
        <small>
          {summaryOf(ruleIn(rule.properties))}
          {isFlexible ? ` · ${say('flexible')}` : ''}
        </small>
        {description === undefined ? null : <small>{description}</small>}
      </span>
    </label>
  )
}
