import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { Pause, Play, X } from 'lucide-react'
import { useEffect } from 'react'
import { documentKeys, meQuery } from '../../api/documents.ts'
import { Button } from '../../ui/button.tsx'
import { Tray } from '../../ui/tray.tsx'
import { useFormats } from '../../words/formats.ts'
import type { Upload } from './upload-queue.ts'
import { cancelUpload, clearUploads, onUploaded, pauseUpload, resumeKeptUploads, resumeUpload, useUploads } from './uploads.ts'
import styles from './uploads-tray.module.css'
import { useUploadWords } from './words.ts'

// A folder of many small files is asked for again a few times, not once for each.
const gatherMilliseconds = 400

/** What is on its way. It stays while one walks on, and goes when all has arrived and it was closed. */
export function UploadsTray() {
  const say = useUploadWords()
  const uploads = useUploads()
  const { size } = useFormats()
  const queries = useQueryClient()
  const { data: me } = useSuspenseQuery(meQuery)
  useEffect(() => void resumeKeptUploads(me.id), [me.id])
  useEffect(() => {
    const changed = new Set<string>()
    const refresh = () => {
      for (const parentId of changed) void queries.invalidateQueries({ queryKey: documentKeys.children(parentId) })
      changed.clear()
    }
    return onUploaded(({ parentId }) => {
      if (changed.size === 0) setTimeout(refresh, gatherMilliseconds)
      changed.add(parentId)
    })
  }, [queries])
  if (uploads.length === 0) return null
  const countOf = (...states: readonly Upload['state'][]) => uploads.filter(({ state }) => states.includes(state)).length
  const underway = countOf('waiting', 'sending')
  const stopped = countOf('paused', 'failed')
  const title =
    underway > 0
      ? say('underway', { count: underway })
      : stopped > 0
        ? say('stopped', { count: stopped })
        : say('done', { count: uploads.length })
  const isOver = underway + stopped === 0
  const [sent, bytes] = [sumOf(uploads, 'sentBytes'), sumOf(uploads, 'size')]
  return (
    <Tray
      label={say('uploads')}
      title={title}
      actions={
        isOver ? (
          <Button look="quiet" aria-label={say('close')} onPress={clearUploads}>
            <X size={16} aria-hidden />
          </Button>
        ) : (
          <>
            <Button
              look="quiet"
              aria-label={say(underway > 0 ? 'pauseAll' : 'resumeAll')}
              onPress={() => {
                for (const { id } of uploads) (underway > 0 ? pauseUpload : resumeUpload)(id)
              }}
            >
              {underway > 0 ? <Pause size={16} aria-hidden /> : <Play size={16} aria-hidden />}
            </Button>
            <Button
              look="quiet"
              aria-label={say('cancelAll')}
              onPress={() => {
                for (const { id } of uploads) cancelUpload(id)
              }}
            >
              <X size={16} aria-hidden />
            </Button>
          </>
        )
      }
    >
      {isOver ? null : (
        <div className={styles.total}>
          <progress aria-label={say('total')} value={sent} max={Math.max(1, bytes)} />
          {say('sending', { sent: size(sent), size: size(bytes) })}
        </div>
      )}
      <ul className={styles.list}>
        {uploads.slice(-50).map((upload) => (
          <UploadLine key={upload.id} upload={upload} />
        ))}
      </ul>
    </Tray>
  )
}

function sumOf(uploads: readonly Upload[], what: 'size' | 'sentBytes'): number {
  return uploads.reduce((sum, upload) => sum + upload[what], 0)
}

function UploadLine({ upload }: { readonly upload: Upload }) {
  const say = useUploadWords()
  const { size } = useFormats()
  const { id, name, state, sentBytes, problem } = upload
  const isStopped = state === 'paused' || state === 'failed'
  const told = {
    waiting: say('waiting'),
    sending: say('sending', { sent: size(sentBytes), size: size(upload.size) }),
    paused: say('paused'),
    done: say('arrived'),
    failed: problem ?? '',
  }[state]
  return (
    <li>
      <span className={styles.name}>{name}</span>
      {state === 'done' ? (
        <span />
      ) : (
        <span>
          <Button
            look="quiet"
            aria-label={say(isStopped ? 'resume' : 'pause', { name })}
            onPress={() => (isStopped ? resumeUpload(id) : pauseUpload(id))}
          >
            {isStopped ? <Play size={16} aria-hidden /> : <Pause size={16} aria-hidden />}
          </Button>
          <Button look="quiet" aria-label={say('cancel', { name })} onPress={() => cancelUpload(id)}>
            <X size={16} aria-hidden />
          </Button>
        </span>
      )}
      <span className={styles.state} data-state={state}>
        {told}
      </span>
      {state === 'sending' ? (
        <progress aria-label={say('progress', { name })} value={sentBytes} max={Math.max(1, upload.size)} />
      ) : null}
    </li>
  )
}
