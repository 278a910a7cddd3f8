import { useQuery } from '@tanstack/react-query'
import { entriesQuery, vocabularyQuery } from '../../api/definitions.ts'
import { Choice } from '../../ui/choice.tsx'
import { Choices } from '../../ui/choices.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { useLanguage } from '../../words/words.ts'
import { useTypeNames } from '../documents/type-words.ts'
import { useFieldNames } from '../forms/words.ts'
import { startPolicies } from '../retention/rule.ts'
import { PeriodFields } from './period-fields.tsx'
import type { RuleDraft, RuleField } from './rule-draft.ts'
import styles from './rule-form.module.css'
import { useRuleWords } from './words.ts'

export interface RulePartProps {
  readonly draft: RuleDraft
  readonly mistakes: { readonly [Field in RuleField]?: string }
  change(some: Partial<RuleDraft>): void
}

const longestExpression = 4_000

interface Option {
  readonly value: string
  readonly label: string
}

/** What is stored and not offered any more stays what it is. */
function withStored(options: readonly Option[], ...stored: readonly string[]): readonly Option[] {
  const missing = stored.filter((one) => one !== '' && !options.some(({ value }) => value === one))
  return [...options, ...missing.map((value) => ({ value, label: value }))]
}

/** Which documents the rule is for, and who attaches it. */
export function TargetFields({ draft, mistakes, change }: RulePartProps) {
  const say = useRuleWords()
  const language = useLanguage()
  const typeName = useTypeNames()
  const { data: { types = [] } = {} } = useQuery(vocabularyQuery)
  const options = types
    .map((value) => ({ value, label: typeName(value) }))
    .sort((one, other) => one.label.localeCompare(other.label, language))
  return (
    <fieldset className={styles.part}>
      <legend>{say('forWhat')}</legend>
      <Choice
        label={say('application')}
        hint={say(draft.isAutomatic ? 'automaticHint' : 'manualHint')}
        value={draft.isAutomatic ? 'automatic' : 'manual'}
        options={(['manual', 'automatic'] as const).map((value) => ({ value, label: say(value) }))}
        onChange={(value) => change({ isAutomatic: value === 'automatic' })}
      />
      <Choices
        label={say('types')}
        hint={say('typesHint')}
        values={draft.types}
        options={withStored(options, ...draft.types)}
        mistake={mistakes.types}
        words={{ add: say('add'), remove: (name) => say('remove', { name }) }}
        onChange={(next) => change({ types: next })}
      />
      {draft.isAutomatic ? (
        <TextField
          label={say('expression')}
          hint={say('expressionHint')}
          lines="several"
          value={draft.expression}
          onChange={(expression) => change({ expression })}
          mistake={mistakes.expression}
          maxLength={longestExpression}
        />
      ) : null}
      <label className={styles.flag}>
        <input type="checkbox" checked={draft.isFlexible} onChange={({ target }) => change({ isFlexible: target.checked })} />
        <span>
          {say('flexible')}
          <small>{say('flexibleHint')}</small>
        </span>
      </label>
    </fieldset>
  )
}

/** From when on it keeps them: each starting point has fields of its own. */
export function BeginningFields(props: RulePartProps) {
  const { draft, mistakes, change } = props
  const say = useRuleWords()
  return (
    <fieldset className={styles.part}>
      <legend>{say('begins')}</legend>
      <Choice
        label={say('policy')}
        hint={say(`${draft.policy}Hint`)}
        value={draft.policy}
        options={startPolicies.map((value) => ({ value, label: say(value) }))}
        mistake={mistakes.policy}
        onChange={(policy) => change({ policy })}
      />
      {draft.policy === 'after_delay' ? (
        <PeriodFields
          label={say('delay')}
          hint={say('periodHint')}
          value={draft.delay}
          units={['years', 'months', 'days']}
          mistake={mistakes.delay ?? mistakes.eventValue}
          onChange={(delay) => change({ delay })}
        />
      ) : null}
      {draft.policy === 'event_based' ? <EventFields {...props} /> : null}
      {draft.policy === 'metadata_based' ? <DateField {...props} /> : null}
    </fieldset>
  )
}

function EventFields({ draft, mistakes, change }: RulePartProps) {
  const say = useRuleWords()
  const language = useLanguage()
  const { data: events = [] } = useQuery(entriesQuery('RetentionEvent', { language }))
  return (
    <>
      <Choice
        label={say('event')}
        hint={say('eventHint')}
        value={draft.event}
        options={[{ value: '', label: say('choose') }, ...withStored(events, draft.event)]}
        mistake={mistakes.event}
        onChange={(event) => change({ event })}
      />
      <TextField
        label={say('eventValue')}
        hint={say('eventValueHint')}
        value={draft.eventValue}
        onChange={(eventValue) => change({ eventValue })}
        mistake={mistakes.eventValue}
        maxLength={longestExpression}
      />
      {draft.eventValue.trim() === '' ? (
        <TextField
          label={say('eventExpression')}
          hint={say('eventExpressionHint')}
          lines="several"
          value={draft.eventExpression}
          onChange={(eventExpression) => change({ eventExpression })}
          mistake={mistakes.eventExpression}
          maxLength={longestExpression}
        />
      ) : null}
    </>
  )
}

function DateField({ draft, mistakes, change }: RulePartProps) {
  const say = useRuleWords()
  const nameOf = useFieldNames()
  const { data: { fields = [] } = {} } = useQuery(vocabularyQuery)
  const dates = fields
    .filter(({ type }) => type === 'date')
    .map(({ name }) => ({ value: name, label: `${nameOf(name)} (${name})` }))
  return (
    <Choice
      label={say('metadata')}
      hint={say('metadataHint')}
      value={draft.metadata}
      options={[{ value: '', label: say('choose') }, ...withStored(dates, draft.metadata)]}
      mistake={mistakes.metadata}
      onChange={(metadata) => change({ metadata })}
    />
  )
}

/** What becomes of them when that begins, and when it is over. */
export function ActionFields({ draft, mistakes, change }: RulePartProps) {
  const say = useRuleWords()
  const language = useLanguage()
  const { data: begin = [] } = useQuery(entriesQuery('RetentionBegin', { language }))
  const { data: end = [] } = useQuery(entriesQuery('RetentionEnd', { language }))
  const words = { add: say('add'), remove: (name: string) => say('remove', { name }) }
  return (
    <fieldset className={styles.part}>
      <legend>{say('done')}</legend>
      <Choices
        label={say('beginActions')}
        hint={say('beginActionsHint')}
        values={draft.beginActions}
        options={withStored(begin, ...draft.beginActions)}
        mistake={mistakes.beginActions}
        words={words}
        onChange={(beginActions) => change({ beginActions })}
      />
      <Choices
        label={say('endActions')}
        hint={say('endActionsHint')}
        values={draft.endActions}
        options={withStored(end, ...draft.endActions)}
        mistake={mistakes.endActions}
        words={words}
        onChange={(endActions) => change({ endActions })}
      />
    </fieldset>
  )
}
