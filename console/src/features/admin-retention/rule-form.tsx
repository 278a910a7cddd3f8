import { type FormEvent, useEffect, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { DialogActions } from '../../ui/dialog/dialog.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { LeaveQuestion } from '../forms/leave-question.tsx'
import { PeriodFields } from './period-fields.tsx'
import { changesIn, emptyDraft, mistakesIn, type RuleDraft } from './rule-draft.ts'
import styles from './rule-form.module.css'
import { ActionFields, BeginningFields, type RulePartProps, TargetFields } from './rule-parts.tsx'
import { useRuleWords } from './words.ts'

export interface RuleFormProps {
  /** What there is; absent for a new one. */
  readonly before?: RuleDraft
  /** With which the last attempt was refused. */
  readonly error: Error | null
  readonly isPending: boolean
  readonly submitLabel: string
  onSubmit(draft: RuleDraft): void
  onCancel?(): void
  /** Told when there is something to save, or nothing any more. */
  onTouch?(isTouched: boolean): void
}

/** All that a rule says. A refusal is shown at the field that it is about. */
export function RuleForm({ before = emptyDraft, error, isPending, submitLabel, onSubmit, onCancel, onTouch }: RuleFormProps) {
  const say = useRuleWords()
  const [draft, setDraft] = useState(before)
  const isChanged = Object.keys(changesIn(before, draft)).length > 0
  const mistakes = mistakesIn(error, draft)
  useEffect(() => onTouch?.(isChanged), [isChanged, onTouch])
  const part: RulePartProps = { draft, mistakes, change: (some) => setDraft({ ...draft, ...some }) }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onSubmit(draft)
  }
  return (
    <form className={styles.form} onSubmit={submit}>
      <LeaveQuestion isAsked={isChanged} />
      <TextField
        label={say('name')}
        value={draft.title}
        onChange={(title) => part.change({ title })}
        mistake={mistakes.title}
        maxLength={500}
        isRequired
        autoFocus={onCancel !== undefined}
      />
      <TextField
        label={say('description')}
        hint={say('descriptionHint')}
        lines="several"
        value={draft.description}
        onChange={(description) => part.change({ description })}
        mistake={mistakes.description}
        maxLength={2_000}
      />
      <TargetFields {...part} />
      <BeginningFields {...part} />
      <fieldset className={styles.part}>
        <legend>{say('howLong')}</legend>
        <PeriodFields
          label={say('period')}
          hint={say('periodHint')}
          value={draft.period}
          mistake={mistakes.period}
          onChange={(period) => part.change({ period })}
        />
      </fieldset>
      <ActionFields {...part} />
      <DialogActions>
        {onCancel === undefined ? null : <Button onPress={onCancel}>{say('cancel')}</Button>}
        <Button look="main" type="submit" isDisabled={!isChanged || draft.title.trim() === ''} isPending={isPending}>
          {submitLabel}
        </Button>
      </DialogActions>
    </form>
  )
}
