import { useQuery } from '@tanstack/react-query'
import { Archive } from 'lucide-react'
import { useState } from 'react'
import type { Change } from '../../api/changes.ts'
import { Problem } from '../../api/client.ts'
import { changeRule, createRule, removeRule, rulePages, ruleQuery } from '../../api/retention.ts'
import { type Document, isAllowed, propertyOf, titleOf } from '../../api/types.ts'
import { Panel } from '../../ui/panel.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { tell } from '../../ui/toasts.tsx'
import type { Column } from '../../ui/virtual-grid.tsx'
import { CreateButton } from '../administration/create-button.tsx'
import { Detail, RemoveButton } from '../administration/detail.tsx'
import { EnableButton } from '../administration/enable-button.tsx'
import { Register, RegisterLink, registerAddress } from '../administration/register.tsx'
import { useAdministrationChange } from '../administration/use-change.ts'
import { usePlace } from '../administration/use-place.ts'
import { nameFor } from '../create/name-for.ts'
import { Shown } from '../problems/shown.tsx'
import { ruleIn } from '../retention/rule.ts'
import { useRuleSummary } from '../retention/use-rule-words.ts'
import { changesIn, draftOf, mistakesIn, propertiesOf, type RuleDraft } from './rule-draft.ts'
import styles from './rule-form.module.css'
import { RuleForm } from './rule-form.tsx'
import { useRuleWords } from './words.ts'

const screen = 'retention'
const enabled = 'retention_rule:enabled'

/** The rules that make documents records. */
export function Screen() {
  const say = useRuleWords()
  const columns = useRuleColumns()
  return (
    <Register
      screen={screen}
      title={say('title')}
      hint={say('hint')}
      tools={<CreateButton label={say('newRule')}>{(close) => <NewRule close={close} />}</CreateButton>}
      pages={rulePages}
      columns={columns}
      keyOf={({ uid }) => uid}
      counted={(count) => say('count', { count })}
      empty={{ icon: Archive, title: say('empty'), hint: say('emptyHint') }}
      detail={(id) => <RuleDetail key={id} id={id} />}
    />
  )
}

const isEnabled = (rule: Document) => propertyOf<boolean>(rule, enabled) === true

function useRuleColumns(): readonly Column<Document>[] {
  const say = useRuleWords()
  const summaryOf = useRuleSummary()
  return [
    {
      id: 'name',
      label: say('name'),
      width: 'minmax(120px, 2fr)',
      render: (rule) => (
        <RegisterLink screen={screen} of={rule.uid} title={titleOf(rule)}>
          {titleOf(rule)}
        </RegisterLink>
      ),
    },
    {
      id: 'keeps',
      label: say('keeps'),
      width: 'minmax(0, 3fr)',
      isMinor: true,
      render: ({ properties }) => {
        const summary = summaryOf(ruleIn(properties))
        return <span title={summary}>{summary}</span>
      },
    },
    {
      id: 'applied',
      label: say('applied'),
      width: '120px',
      isMinor: true,
      render: (rule) => say(propertyOf(rule, 'retention_rule:applicationPolicy') === 'auto' ? 'automatic' : 'manual'),
    },
    { id: 'state', label: say('state'), width: '90px', render: (rule) => say(isEnabled(rule) ? 'enabled' : 'disabled') },
  ]
}

/** What the server says of a rule that others have changed meanwhile is for programs. */
function useRuleChange() {
  const say = useRuleWords()
  return async (change: Change): Promise<Document> => {
    try {
      return await changeRule(change)
    } catch (error) {
      throw error instanceof Problem && error.status === 409 ? new Error(say('conflict')) : error
    }
  }
}

/** Saves what the form says; where the server refuses it, the form shows that at the field it is about. */
function useSaving<Result>(save: (draft: RuleDraft) => Promise<Result>) {
  const [sent, setSent] = useState<RuleDraft>()
  const saving = useAdministrationChange(save, {
    isShown: (error) => sent !== undefined && Object.keys(mistakesIn(error, sent)).length > 0,
  })
  const submit = (draft: RuleDraft, onSuccess: (result: Result) => void) => {
    setSent(draft)
    saving.mutate(draft, { onSuccess })
  }
  return { error: saving.error, isPending: saving.isPending, submit }
}

function NewRule({ close }: { readonly close: () => void }) {
  const say = useRuleWords()
  const { search, goTo } = usePlace()
  const { submit, ...state } = useSaving((draft) => createRule({ name: nameFor(draft.title), properties: propertiesOf(draft) }))
  return (
    <RuleForm
      {...state}
      submitLabel={say('create')}
      onCancel={close}
      onSubmit={(draft) =>
        submit(draft, (rule) => {
          close()
          tell({ text: say('created', { title: titleOf(rule) }) })
          void goTo(registerAddress(screen, rule.uid), search)
        })
      }
    />
  )
}

function RuleDetail({ id }: { readonly id: string }) {
  return (
    <Shown query={useQuery(ruleQuery(id))} waiting={<Skeleton />}>
      {(rule) => <Whole rule={rule} />}
    </Shown>
  )
}

function Whole({ rule }: { readonly rule: Document }) {
  const say = useRuleWords()
  const { basis, touch, rebase } = useBasis(rule)
  const title = titleOf(rule)
  const isWritable = isAllowed(rule, 'WriteProperties')
  const removeWords = {
    remove: say('deleteRule'),
    title: say('deleteTitle'),
    sentence: say('deleteSentence'),
    cancel: say('cancel'),
    removed: say('deleted'),
  }
  const change = useRuleChange()
  const enable = async (next: boolean) => rebase(await change({ document: rule, properties: { [enabled]: next } }))
  return (
    <Detail title={title} id={rule.path ?? rule.uid} badge={say(isEnabled(rule) ? 'enabled' : 'disabled')}>
      {isWritable ? <EnableButton name={title} isEnabled={isEnabled(rule)} change={enable} /> : null}
      <Panel
        title={say('what')}
        actions={isAllowed(rule, 'Remove') ? <RemoveButton words={removeWords} remove={() => removeRule(rule.uid)} /> : null}
      >
        <p className={styles.quiet}>{say(isWritable ? 'copied' : 'readOnly')}</p>
        {isWritable ? <SavedForm key={JSON.stringify(draftOf(basis))} rule={basis} onTouch={touch} /> : null}
      </Panel>
    </Detail>
  )
}

/** What the form began with: it stays while somebody types, so that the server tells them if others have changed it since. */
function useBasis(rule: Document) {
  const [basis, setBasis] = useState(rule)
  const [isTouched, touch] = useState(false)
  if (!isTouched && basis.changeToken !== rule.changeToken) setBasis(rule)
  return {
    basis,
    touch,
    /** One's own change of something that the form does not show is no conflict with it. */
    rebase({ changeToken }: Document): void {
      setBasis((current) => (current.changeToken === rule.changeToken ? { ...current, changeToken } : current))
    },
  }
}

interface SavedFormProps {
  readonly rule: Document
  onTouch(isTouched: boolean): void
}

function SavedForm({ rule, onTouch }: SavedFormProps) {
  const say = useRuleWords()
  const before = draftOf(rule)
  const change = useRuleChange()
  const { submit, ...state } = useSaving((draft) => change({ document: rule, properties: changesIn(before, draft) }))
  return (
    <RuleForm
      {...state}
      before={before}
      onTouch={onTouch}
      submitLabel={say('save')}
      onSubmit={(draft) =>
        submit(draft, () => {
          onTouch(false)
          tell({ text: say('saved') })
        })
      }
    />
  )
}
