import { type FormEvent, useMemo, useState } from 'react'
import { changeDocument, useDocumentChange } from '../../api/changes.ts'
import { Problem } from '../../api/client.ts'
import { readDocument } from '../../api/documents.ts'
import type { Document } from '../../api/types.ts'
import { Button } from '../../ui/button.tsx'
import { tell } from '../../ui/toasts.tsx'
import { changesBetween, conflictsBetween, type Values } from './changes-between.ts'
import { FieldGroups } from './field-groups.tsx'
import { LeaveQuestion } from './leave-question.tsx'
import styles from './property-form.module.css'
import { useFieldNames, useFormWords } from './words.ts'

export interface PropertyFormProps {
  readonly document: Document
  onClose(): void
}

/** Edits whatever properties a document has. What another person saved meanwhile is never overwritten unseen. */
export function PropertyForm({ document, onClose }: PropertyFormProps) {
  const say = useFormWords()
  const nameOf = useFieldNames(document.type)
  const [base, setBase] = useState(document)
  const [edited, setEdited] = useState<Values>({})
  const [theirs, setTheirs] = useState<Document>()
  const [mistakes, setMistakes] = useState<{ readonly [xpath: string]: string }>({})
  const save = useDocumentChange(changeDocument)
  const before: Values = base.properties ?? {}
  const values = useMemo((): Values => ({ ...base.properties, ...edited }), [base, edited])
  const isChanged = useMemo(() => Object.keys(changesBetween(base.properties ?? {}, values)).length > 0, [base, values])

  const submit = (event: FormEvent) => {
    event.preventDefault()
    const properties = changesBetween(before, values)
    if (Object.keys(properties).length === 0) return onClose()
    save.mutate(
      { document: base, properties },
      {
        onSuccess: () => {
          tell({ text: say('saved') })
          onClose()
        },
        onError: (error) => void refused(error),
      },
    )
  }

  const refused = async (error: Error) => {
    if (error instanceof Problem && error.status === 409) setTheirs(await readDocument({ id: document.uid }))
    else if (error instanceof Problem && error.mistakes !== undefined) setMistakes(error.mistakes)
    else tell({ kind: 'problem', text: error.message })
  }

  /** Goes on from what they saved, with what is still mine. */
  const settle = (kept: Values) => {
    if (theirs === undefined) return
    setBase(theirs)
    setEdited(kept)
    setTheirs(undefined)
  }

  return (
    <form className={styles.form} onSubmit={submit}>
      <LeaveQuestion isAsked={isChanged} />
      {theirs === undefined ? null : (
        <Conflict base={before} mine={values} theirs={theirs.properties ?? {}} nameOf={nameOf} onSettle={settle} />
      )}
      <FieldGroups
        document={base}
        values={values}
        mistakes={mistakes}
        onChange={(xpath, value) => {
          setEdited((earlier) => ({ ...earlier, [xpath]: value }))
          setMistakes(({ [xpath]: _mended, ...others }) => others)
        }}
      />
      <div className={styles.actions}>
        <Button look="main" type="submit" isPending={save.isPending} isDisabled={theirs !== undefined}>
          {say('save')}
        </Button>
        <Button onPress={onClose}>{say('cancel')}</Button>
      </div>
    </form>
  )
}

interface ConflictProps {
  readonly base: Values
  readonly mine: Values
  readonly theirs: Values
  nameOf(xpath: string): string
  onSettle(kept: Values): void
}

/** Both have changed the document: for each value that they disagree about one of the two is chosen. */
function Conflict({ base, mine, theirs, nameOf, onSettle }: ConflictProps) {
  const say = useFormWords()
  const disputed = conflictsBetween(base, mine, theirs)
  const [isTheirs, setTheirs] = useState<ReadonlySet<string>>(new Set())
  const settle = () => {
    const kept = Object.entries(changesBetween(base, mine)).filter(([xpath]) => !isTheirs.has(xpath))
    onSettle(Object.fromEntries(kept))
  }
  return (
    <div className={styles.conflict} role="alert">
      <h2>{say('changed')}</h2>
      <p>{say('changedHint')}</p>
      {disputed.map((xpath) => (
        <fieldset key={xpath}>
          <legend>{nameOf(xpath)}</legend>
          {(['mine', 'theirs'] as const).map((whose) => (
            <label key={whose}>
              <input
                type="radio"
                name={xpath}
                checked={isTheirs.has(xpath) === (whose === 'theirs')}
                onChange={() =>
                  setTheirs(whose === 'theirs' ? isTheirs.union(new Set([xpath])) : isTheirs.difference(new Set([xpath])))
                }
              />
              {say(whose, { value: String((whose === 'mine' ? mine : theirs)[xpath] ?? '—') })}
            </label>
          ))}
        </fieldset>
      ))}
      <div>
        <Button onPress={settle}>{say('saveChoice')}</Button>
      </div>
    </div>
  )
}
