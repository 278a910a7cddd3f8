import { type FormEvent, useMemo, useState } from 'react'
import { changeDocument, useDocumentChange } from '../../api/changes.ts'
import { Problem } from '../../api/client.ts'
import { readDocument } from '../../api/documents.ts'
import type { Document } from '../../api/types.ts'
import { Button } from '../../ui/button.tsx'
import { tell } from '../../ui/toasts.tsx'
import { changesBetween, conflictsBetween, type Values } from './changes-between.ts'
import { FieldGroups } from './field-groups.tsx'
import { layoutFor } from './layout.ts'
import { LeaveQuestion } from './leave-question.tsx'
import styles from './property-form.module.css'
import { PropertyValue } from './property-value.tsx'
import { useFieldNames, useFormWords } from './words.ts'

/** Somebody else has meanwhile given another value to what is to be changed. */
class Disputed extends Error {
  readonly theirs: Document
  constructor(theirs: Document) {
    super('The document was changed meanwhile.')
    this.theirs = theirs
  }
}

/**
 * The change token tells of other consoles alone: what a client without one has saved does not count in it.
 *
 * @throws Disputed, Problem
 */
async function saveUnlessDisputed({ base, properties }: { readonly base: Document; readonly properties: Values }) {
  const theirs = await readDocument({ id: base.uid })
  const before: Values = base.properties ?? {}
  if (conflictsBetween(before, { ...before, ...properties }, theirs.properties ?? {}).length > 0) throw new Disputed(theirs)
  return await changeDocument({ document: base, properties })
}

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
  const save = useDocumentChange(saveUnlessDisputed)
  const before: Values = base.properties ?? {}
  const values = useMemo((): Values => ({ ...base.properties, ...edited }), [base, edited])
  const isChanged = useMemo(() => Object.keys(changesBetween(base.properties ?? {}, values)).length > 0, [base, values])

  const submit = (event: FormEvent) => {
    event.preventDefault()
    send(base, changesBetween(before, values))
  }

  const send = (changed: Document, properties: Values) => {
    if (Object.keys(properties).length === 0) return onClose()
    save.mutate(
      { base: changed, properties },
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
    if (error instanceof Disputed) setTheirs(error.theirs)
    else if (error instanceof Problem && error.status === 409) setTheirs(await readDocument({ id: document.uid }))
    else if (error instanceof Problem && error.mistakes !== undefined) setMistakes(error.mistakes)
    else tell({ kind: 'problem', text: error.message })
  }

  /** Goes on from what they saved, and saves what is still mine. */
  const settle = (kept: Values) => {
    if (theirs === undefined) return
    setBase(theirs)
    setEdited(kept)
    setTheirs(undefined)
    send(theirs, kept)
  }

  return (
    <form className={styles.form} onSubmit={submit}>
      <LeaveQuestion isAsked={isChanged} />
      {theirs === undefined ? null : <Conflict base={base} mine={values} theirs={theirs} nameOf={nameOf} onSettle={settle} />}
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
  readonly base: Document
  readonly mine: Values
  readonly theirs: Document
  nameOf(xpath: string): string
  onSettle(kept: Values): void
}

/** Both have changed the document: for each value that they disagree about one of the two is chosen. */
function Conflict({ base, mine, theirs, nameOf, onSettle }: ConflictProps) {
  const say = useFormWords()
  const before: Values = base.properties ?? {}
  const saved: Values = theirs.properties ?? {}
  const disputed = conflictsBetween(before, mine, saved)
  const changed = Object.keys(changesBetween(before, saved)).filter((xpath) => !disputed.includes(xpath))
  const taken = layoutFor(changed).groups.flatMap(({ fields }) => fields.map(({ xpath }) => nameOf(xpath)))
  const [isTheirs, setTheirs] = useState<ReadonlySet<string>>(new Set())
  const settle = () => {
    const kept = Object.entries(changesBetween(before, mine)).filter(([xpath]) => !isTheirs.has(xpath))
    onSettle(Object.fromEntries(kept))
  }
  return (
    <div className={styles.conflict} role="alert">
      <h2>{say('changed')}</h2>
      {taken.length === 0 ? null : <p>{say('taken', { fields: taken.join(', ') })}</p>}
      {disputed.length === 0 ? null : <p>{say('changedHint')}</p>}
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
              <span>
                <span className={styles.whose}>{say(whose)}</span>{' '}
                <PropertyValue document={theirs} xpath={xpath} value={(whose === 'mine' ? mine : saved)[xpath]} isInline />
              </span>
            </label>
          ))}
        </fieldset>
      ))}
      <div>
        <Button look="main" onPress={settle}>
          {say(disputed.length === 0 ? 'saveMine' : 'saveChoice')}
        </Button>
      </div>
    </div>
  )
}
