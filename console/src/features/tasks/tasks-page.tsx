import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { ArrowLeft, Inbox, ListFilter, MousePointerClick } from 'lucide-react'
import { useState } from 'react'
import { meQuery } from '../../api/documents.ts'
import { myTasksQuery, type Task } from '../../api/workflow.ts'
import { moveInLinks } from '../../ui/arrow-keys.ts'
import { Button } from '../../ui/button.tsx'
import { Choice } from '../../ui/choice.tsx'
import { Message } from '../../ui/message.tsx'
import { Segments } from '../../ui/segments.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { useLanguage } from '../../words/words.ts'
import { Refused } from '../problems/shown.tsx'
import { bySpan, type DueSpan, dueSpanOf, dueSpans } from './due.ts'
import { StartedWorkflows } from './started-workflows.tsx'
import { TaskRow, titleOfTarget } from './task-row.tsx'
import { TaskView } from './task-view.tsx'
import styles from './tasks.module.css'
import { useTaskWords } from './words.ts'

const route = getRouteApi('/tasks')

/** What waits for one: the list, and beside it the task that is looked at. */
export function TasksPage() {
  const say = useTaskWords()
  const navigate = route.useNavigate()
  const { view = 'mine', task } = route.useSearch()
  return (
    <div className={styles.page} data-open={task !== undefined}>
      <div className={styles.side}>
        <header className={styles.head}>
          <h1>{say('title')}</h1>
          <Segments
            label={say('views')}
            selected={view}
            options={(['mine', 'started'] as const).map((id) => ({ id, label: say(id) }))}
            onSelect={(next) => void navigate({ search: next === 'mine' ? {} : { view: next } })}
          />
        </header>
        {view === 'mine' ? <MyTasks /> : <StartedWorkflows />}
      </div>
      {view === 'mine' ? (
        <div className={styles.detail}>
          {task === undefined ? (
            <Message icon={MousePointerClick} title={say('choose')} />
          ) : (
            <>
              <Link className={styles.back} to="/tasks" search={(before) => ({ ...before, task: undefined })}>
                <ArrowLeft size={16} aria-hidden />
                {say('back')}
              </Link>
              <TaskView
                key={task}
                id={task}
                onCompleted={() => void navigate({ search: (before) => ({ ...before, task: undefined }), replace: true })}
              />
            </>
          )}
        </div>
      ) : null}
    </div>
  )
}

function MyTasks() {
  const say = useTaskWords()
  const language = useLanguage()
  const navigate = route.useNavigate()
  const { due } = route.useSearch()
  const [words, setWords] = useState('')
  const { data: me } = useQuery(meQuery)
  const query = useInfiniteQuery({ ...myTasksQuery(me?.id ?? '', language), enabled: me !== undefined })
  if (query.error !== null && query.data === undefined) {
    return <Refused error={query.error} onRetry={() => void query.refetch()} />
  }
  if (query.data === undefined) return <Skeleton />
  const tasks = query.data.pages.flatMap(({ entries }) => entries)
  if (tasks.length === 0) {
    return (
      <Message icon={Inbox} title={say('empty')}>
        <p>{say('emptyHint')}</p>
      </Message>
    )
  }
  const now = new Date()
  const shown = tasks.filter((one) => (due === undefined || dueSpanOf(one, now) === due) && hasWords(one, words))
  const options = [{ value: '', label: say('anyDue') }, ...dueSpans.map((value) => ({ value, label: say(value) }))]
  return (
    <>
      <div className={styles.filters}>
        <TextField label={say('filter')} type="search" value={words} onChange={setWords} placeholder={say('filterHint')} />
        <Choice
          label={say('due')}
          value={due ?? ''}
          options={options}
          onChange={(value) =>
            void navigate({
              search: (before) => ({ ...before, due: (value || undefined) as DueSpan | undefined }),
              replace: true,
            })
          }
        />
      </div>
      <p className="only-read" role="status">
        {say('open', { count: shown.length })}
      </p>
      {shown.length === 0 ? (
        <Message icon={ListFilter} title={say('noneFound')}>
          <p>{say('noneFoundHint')}</p>
        </Message>
      ) : (
        <nav className={styles.groups} aria-label={say('list')} onKeyDown={moveInLinks}>
          {bySpan(shown, now).map(({ span, tasks: some }) => (
            <section key={span} aria-labelledby={`due-${span}`}>
              <h2 id={`due-${span}`} className={styles.span} data-span={span}>
                {say(span)} <small>{some.length}</small>
              </h2>
              <ul>
                {some.map((one) => (
                  <li key={one.id}>
                    <TaskRow task={one} />
                  </li>
                ))}
              </ul>
            </section>
          ))}
          {query.hasNextPage ? (
            <Button onPress={() => void query.fetchNextPage()} isPending={query.isFetchingNextPage}>
              {say('more')}
            </Button>
          ) : null}
        </nav>
      )}
    </>
  )
}

function hasWords(task: Task, words: string): boolean {
  const text = [task.name, task.directive, task.workflowTitle, titleOfTarget(task)].join(' ').toLowerCase()
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}
