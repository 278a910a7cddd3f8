import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Square, Undo2, X } from 'lucide-react'
import { useEffect } from 'react'
import { readBulk, stopBulk } from '../../api/bulk.ts'
import { documentKeys } from '../../api/documents.ts'
import { Button } from '../../ui/button.tsx'
import { Tray } from '../../ui/tray.tsx'
import { Refused } from '../problems/shown.tsx'
import { told } from '../problems/told.ts'
import styles from './bulk.module.css'
import { forgetBulk, type RunningBulk, useRunningBulks } from './running.ts'
import { useBulkWords } from './words.ts'

const lookMilliseconds = 500

/** How far things are that were begun with all that is listed. */
export function BulkTray() {
  return useRunningBulks().map((bulk) => <BulkProgress key={bulk.id} bulk={bulk} />)
}

const isOver = (state: string | undefined) => state === 'COMPLETED' || state === 'ABORTED'

function BulkProgress({ bulk: { id, label, undo } }: { readonly bulk: RunningBulk }) {
  const say = useBulkWords()
  const queries = useQueryClient()
  const query = useQuery({
    queryKey: ['bulk', id],
    queryFn: ({ signal }) => readBulk(id, signal),
    refetchInterval: ({ state }) => (isOver(state.data?.state) ? false : lookMilliseconds),
  })
  const { state, processed = 0, total = 0, errorCount = 0, errorMessage, result } = query.data ?? {}
  const isDone = isOver(state)
  useEffect(() => {
    if (isDone) void queries.invalidateQueries({ queryKey: documentKeys.all })
  }, [isDone, queries])
  const shown =
    state === 'ABORTED' ? say('stopped', { processed, total }) : say(isDone ? 'done' : 'underway', { processed, total })
  const url = (result as { url?: unknown } | undefined)?.url
  return (
    <Tray
      label={label}
      title={label}
      actions={
        isDone || query.error !== null ? (
          <Button look="quiet" aria-label={say('close')} onPress={() => forgetBulk(id)}>
            <X size={16} aria-hidden />
          </Button>
        ) : (
          <Button look="quiet" aria-label={say('stop')} onPress={() => told(stopBulk(id))}>
            <Square size={16} aria-hidden />
          </Button>
        )
      }
    >
      {query.error !== null && query.data === undefined ? (
        <Refused error={query.error} onRetry={() => void query.refetch()} />
      ) : (
        <div className={styles.progress}>
          <progress aria-label={label} value={processed} max={Math.max(1, total)} />
          <span role="status">{shown}</span>
          {errorCount > 0 ? (
            <span className={styles.failed}>{say('failed', { count: errorCount, reason: errorMessage ?? '' })}</span>
          ) : null}
          {isDone && undo !== undefined && processed > 0 ? (
            <Button
              onPress={() => {
                forgetBulk(id)
                told(undo())
              }}
            >
              <Undo2 size={16} aria-hidden />
              {say('undo')}
            </Button>
          ) : null}
          {typeof url === 'string' ? (
            <a href={url} download>
              {say('download')}
            </a>
          ) : null}
        </div>
      )}
    </Tray>
  )
}
