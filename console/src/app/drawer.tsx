import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { X } from 'lucide-react'
import { meQuery } from '../api/documents.ts'
import { myTasksQuery } from '../api/workflow.ts'
import { FolderTree } from '../features/browse/folder-tree.tsx'
import { ClipboardContent } from '../features/clipboard/clipboard-content.tsx'
import { Refused } from '../features/problems/shown.tsx'
import { SavedSearches } from '../features/saved-searches/saved-searches.tsx'
import { TaskRow } from '../features/tasks/task-row.tsx'
import { Button } from '../ui/button.tsx'
import { useLanguage } from '../words/words.ts'
import styles from './drawer.module.css'
import type { DrawerId } from './places.ts'
import { useAppWords } from './words.ts'

const contents = { browse: FolderTree, search: SavedSearches, tasks: WaitingTasks, clipboard: ClipboardContent } as const

/** What stands beside the page without leaving it: folders, searches, tasks, the clipboard. */
export function Drawer({ id, onClose }: { readonly id: DrawerId; onClose(): void }) {
  const say = useAppWords()
  const Content = contents[id]
  return (
    <aside className={styles.drawer} aria-label={say('drawer', { place: say(id) })}>
      <header className={styles.head}>
        <h2>{say(id)}</h2>
        <Button look="quiet" aria-label={say('closeDrawer')} onPress={onClose}>
          <X size={16} aria-hidden />
        </Button>
      </header>
      <Content />
    </aside>
  )
}

function WaitingTasks() {
  const say = useAppWords()
  const { data: me } = useQuery(meQuery)
  const query = useInfiniteQuery({ ...myTasksQuery(me?.id ?? '', useLanguage()), enabled: me !== undefined })
  if (query.error !== null && query.data === undefined) {
    return <Refused error={query.error} onRetry={() => void query.refetch()} />
  }
  const tasks = query.data?.pages.flatMap(({ entries }) => entries) ?? []
  if (query.data !== undefined && tasks.length === 0) return <p className={styles.quiet}>{say('noTasks')}</p>
  return (
    <>
      <ul>
        {tasks.map((task) => (
          <li key={task.id}>
            <TaskRow task={task} />
          </li>
        ))}
      </ul>
      <Link to="/tasks">{say('allTasks')}</Link>
    </>
  )
}
