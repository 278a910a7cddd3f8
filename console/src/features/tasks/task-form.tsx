import { useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { useDocumentChange } from '../../api/changes.ts'
import { Problem } from '../../api/client.ts'
import { completeTask, type Task, workflowKeys } from '../../api/workflow.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { tell } from '../../ui/toasts.tsx'
import { LeaveQuestion } from '../forms/leave-question.tsx'
import { HandOverButtons } from './hand-over.tsx'
import { TaskFields } from './task-fields.tsx'
import { layoutOf, remark } from './task-layout.ts'
import styles from './tasks.module.css'
import { useTaskWords } from './words.ts'

export interface TaskFormProps {
  readonly task: Task
  onCompleted?(): void
}

type Action = NonNullable<Task['taskInfo']>['taskActions'][number]

/** What a task asks for, a remark, and the ways in which it can be completed. */
export function TaskForm({ task, onCompleted }: TaskFormProps) {
  const say = useTaskWords()
  const id = useId()
  const queries = useQueryClient()
  const [edited, setEdited] = useState<{ readonly [name: string]: unknown }>({})
  const [comment, setComment] = useState('')
  const [mistakes, setMistakes] = useState<{ readonly [name: string]: string }>({})
  const [problem, setProblem] = useState<string>()
  const layout = layoutOf(task)
  const values = { ...task.variables, ...edited }
  const complete = useDocumentChange((action: string) => {
    const variables = Object.fromEntries(layout.edits.map((name) => [name, values[name] ?? null]))
    // Forms of old have the remark among their variables, and the workflow reads it there.
    const said = remark in task.variables ? { ...variables, [remark]: comment } : variables
    return completeTask(task.id, { action, comment, variables: said })
  })
  const actions = task.taskInfo?.taskActions ?? []

  const press = ({ name, label, validate }: Action) => {
    const missing = validate ? layout.needs.filter((one) => isMissing(values[one])) : []
    setMistakes(Object.fromEntries(missing.map((one) => [one, say('needed')])))
    if (missing.length > 0) return
    // Not with callbacks of `mutate`: the form is gone as soon as the list is asked for anew, and they with it.
    complete.mutateAsync(name).then(
      () => {
        tell({ text: say('completed', { action: label ?? name }) })
        onCompleted?.()
      },
      (error: Error) => {
        setProblem(error.message)
        if (error instanceof Problem && error.mistakes !== undefined) setMistakes(byBareName(error.mistakes))
        // Somebody else was quicker: the list is not what it was.
        if (error instanceof Problem && error.status === 409) void queries.invalidateQueries({ queryKey: workflowKeys.tasks })
      },
    )
  }

  return (
    <section className={styles.form} aria-labelledby={id}>
      <h3 id={id} className="only-read">
        {say('answer')}
      </h3>
      <LeaveQuestion isAsked={comment !== '' || Object.keys(edited).length > 0} />
      <TaskFields
        task={task}
        values={values}
        mistakes={mistakes}
        onChange={(name, value) => {
          setEdited({ ...edited, [name]: value })
          setMistakes(Object.fromEntries(Object.entries(mistakes).filter(([one]) => one !== name)))
        }}
      />
      <TextField
        label={say('comment')}
        hint={say('commentHint')}
        lines="several"
        value={comment}
        onChange={setComment}
        maxLength={10_000}
      />
      {problem === undefined ? null : (
        <p className={styles.problem} role="alert">
          {problem}
        </p>
      )}
      <div className={styles.actions}>
        {actions.map((action) => (
          <Button
            key={action.name}
            {...(isMain(action, actions) && { look: 'main' as const })}
            isPending={complete.isPending && complete.variables === action.name}
            isDisabled={complete.isPending}
            onPress={() => press(action)}
          >
            {action.label ?? action.name}
          </Button>
        ))}
        <div className={styles.handOver}>
          <HandOverButtons task={task} />
        </div>
      </div>
    </section>
  )
}

const isMissing = (value: unknown) =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)

/** The one that goes on: workflows name it last, but for opinions, where saying yes is in the middle. */
function isMain({ name }: Action, actions: readonly Action[]): boolean {
  const main = actions.find((action) => action.name === 'approve') ?? actions.at(-1)
  return name === main?.name
}

function byBareName(mistakes: { readonly [xpath: string]: string }): { readonly [name: string]: string } {
  return Object.fromEntries(Object.entries(mistakes).map(([xpath, text]) => [xpath.slice(xpath.lastIndexOf(':') + 1), text]))
}
