import { useQuery } from '@tanstack/react-query'
import { CircleCheck } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { documentsIn, type Task, taskQuery } from '../../api/workflow.ts'
import { FactList } from '../../ui/fact-list.tsx'
import { FormattedText } from '../../ui/formatted-text.tsx'
import { Message } from '../../ui/message.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useFormats } from '../../words/formats.ts'
import { useLanguage } from '../../words/words.ts'
import { DocumentLink } from '../documents/document-link.tsx'
import { Person } from '../people/person.tsx'
import { LinkedPerson } from '../people/person-link.tsx'
import { Shown } from '../problems/shown.tsx'
import { DueDate } from './due-date.tsx'
import { nameOf, referenceOf } from './people-of-task.ts'
import { TaskForm } from './task-form.tsx'
import styles from './tasks.module.css'
import { useTaskWords } from './words.ts'

/** A task as a whole: about which document, from whom, what was said, and the form to complete it. */
export function TaskView({ id, onCompleted }: { readonly id: string; onCompleted(): void }) {
  const say = useTaskWords()
  const query = useQuery(taskQuery(id, useLanguage()))
  const heading = useRef<HTMLHeadingElement>(null)
  const isThere = query.data !== undefined
  // Who opened it by keyboard reads on here, and reaches the form with the next key.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another task is another heading
  useEffect(() => {
    if (isThere) heading.current?.focus({ preventScroll: true })
  }, [isThere, id])
  return (
    <Shown query={query} waiting={<Waiting />}>
      {(task) => (
        <article className={styles.task}>
          <header>
            <p className={styles.quiet}>{task.workflowTitle}</p>
            <h2 ref={heading} tabIndex={-1}>
              {task.name}
            </h2>
            {task.directive === null ? null : <p>{task.directive}</p>}
          </header>
          <TaskFacts task={task} />
          <Remarks task={task} />
          {task.state === 'opened' ? (
            <TaskForm key={task.id} task={task} onCompleted={onCompleted} />
          ) : (
            <Message icon={CircleCheck} title={say('over')}>
              <p>{say('overHint')}</p>
            </Message>
          )}
        </article>
      )}
    </Shown>
  )
}

function TaskFacts({ task }: { readonly task: Task }) {
  const say = useTaskWords()
  const documents = documentsIn(task.targetDocumentIds)
  const initiator = nameOf(task.workflowInitiator)
  return (
    <FactList>
      <dt>{say('document')}</dt>
      <dd>
        {documents.length === 0 ? <span className={styles.quiet}>{say('gone')}</span> : null}
        {documents.map((document) => (
          <DocumentLink key={document.uid} document={document} isReached />
        ))}
      </dd>
      {initiator === undefined ? null : (
        <>
          <dt>{say('startedBy')}</dt>
          <dd>
            <LinkedPerson reference={initiator} />
          </dd>
        </>
      )}
      <People label={say('askedOf')} people={task.actors} />
      <People label={say('delegatedTo')} people={task.delegatedActors} />
      {task.dueDate === null ? null : (
        <>
          <dt>{say('due')}</dt>
          <dd>
            <DueDate date={task.dueDate} />
          </dd>
        </>
      )}
    </FactList>
  )
}

function People({ label, people }: { readonly label: string; readonly people: Task['actors'] }) {
  const names = people.flatMap((one) => referenceOf(one) ?? [])
  if (names.length === 0) return null
  return (
    <>
      <dt>{label}</dt>
      <dd className={styles.people}>
        {names.map((name) => (
          <LinkedPerson key={name} reference={name} />
        ))}
      </dd>
    </>
  )
}

function Remarks({ task: { comments } }: { readonly task: Task }) {
  const say = useTaskWords()
  const { ago } = useFormats()
  const said = comments.filter(({ text }) => text !== null && text.trim() !== '')
  if (said.length === 0) return null
  return (
    <section className={styles.shown}>
      <h3>{say('remarks')}</h3>
      <ul className={styles.remarks}>
        {said.map(({ author, text, date }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: remarks are only ever added
          <li key={index}>
            <p>
              <Person reference={author ?? ''} /> <time className={styles.quiet}>{ago(date)}</time>
            </p>
            <FormattedText text={text ?? ''} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function Waiting() {
  return (
    <div className={styles.task}>
      <Skeleton width="40%" />
      <Skeleton />
      <Skeleton width="50%" />
    </div>
  )
}
