import { UserRoundPlus, Waypoints } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { useDocumentChange } from '../../api/changes.ts'
import { type HandOver, handOverTask, type Task } from '../../api/workflow.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog/dialog.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { tell } from '../../ui/toasts.tsx'
import { LeaveQuestion } from '../forms/leave-question.tsx'
import { PeopleField } from '../people/people-field.tsx'
import styles from './tasks.module.css'
import { useTaskWords } from './words.ts'

type Kind = HandOver['kind']

/** Lets others do a task as well or, where its workflow allows that, instead. */
export function HandOverButtons({ task }: { readonly task: Task }) {
  const say = useTaskWords()
  const [kind, setKind] = useState<Kind>()
  const offered: readonly Kind[] = task.taskInfo?.allowTaskReassignment ? ['delegate', 'reassign'] : ['delegate']
  return (
    <>
      {offered.map((one) => (
        <Button key={one} look="quiet" onPress={() => setKind(one)}>
          {one === 'delegate' ? <UserRoundPlus size={16} aria-hidden /> : <Waypoints size={16} aria-hidden />}
          {say(one)}
        </Button>
      ))}
      <Dialog title={say(`${kind ?? 'delegate'}Title`)} isOpen={kind !== undefined} onClose={() => setKind(undefined)}>
        <HandOverForm task={task} kind={kind ?? 'delegate'} onClose={() => setKind(undefined)} />
      </Dialog>
    </>
  )
}

interface HandOverFormProps {
  readonly task: Task
  readonly kind: Kind
  onClose(): void
}

function HandOverForm({ task, kind, onClose }: HandOverFormProps) {
  const say = useTaskWords()
  const [people, setPeople] = useState<readonly string[]>([])
  const [comment, setComment] = useState('')
  const [mistake, setMistake] = useState<string>()
  const handOver = useDocumentChange((given: HandOver) => handOverTask(task.id, given))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (people.length === 0) return setMistake(say('needed'))
    // Not with callbacks of `mutate`: the task may leave the list, and the form with it, before they are called.
    handOver.mutateAsync({ kind, people, comment: comment.trim() }).then(
      () => {
        tell({ text: say(kind === 'delegate' ? 'delegated' : 'reassigned') })
        onClose()
      },
      ({ message }: Error) => setMistake(message),
    )
  }
  return (
    <form className={styles.dialog} onSubmit={submit}>
      <LeaveQuestion isAsked={comment !== '' || people.length > 0} />
      <PeopleField
        label={say('who')}
        values={people}
        isRequired
        mistake={mistake}
        onChange={(next) => {
          setPeople(next)
          setMistake(undefined)
        }}
      />
      <TextField label={say('comment')} lines="several" value={comment} onChange={setComment} maxLength={10_000} />
      <DialogActions>
        <Button onPress={onClose}>{say('cancel')}</Button>
        <Button look="main" type="submit" isPending={handOver.isPending}>
          {say(kind === 'delegate' ? 'delegateDo' : 'reassignDo')}
        </Button>
      </DialogActions>
    </form>
  )
}
