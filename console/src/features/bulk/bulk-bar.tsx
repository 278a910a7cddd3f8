import { FileSpreadsheet, Trash2, X } from 'lucide-react'
import { useState } from 'react'
import { Toolbar } from 'react-aria-components'
import { type BulkTarget, startBulk } from '../../api/bulk.ts'
import { Button } from '../../ui/button.tsx'
import { Question } from '../../ui/question.tsx'
import { told } from '../problems/told.ts'
import styles from '../selection/selection-bar.module.css'
import { showBulk } from './running.ts'
import { useBulkWords } from './words.ts'

export interface BulkBarProps {
  readonly target: BulkTarget
  readonly count: number
  onClear(): void
}

/** What can be done with everything that a list has, also with what was never loaded. */
export function BulkBar({ target, count, onClear }: BulkBarProps) {
  const say = useBulkWords()
  const [isAsking, setAsking] = useState(false)
  const start = (label: string, action: string, parameters: object) => {
    told(startBulk(target, action, parameters), ({ commandId }) => showBulk({ id: commandId, label }))
    onClear()
  }
  return (
    <Toolbar className={styles.bar ?? ''} aria-label={say('actions')}>
      <Button onPress={() => start(say('exporting', { count }), 'csvExport', { schemas: ['dublincore'] })}>
        <FileSpreadsheet size={16} aria-hidden />
        <span className="wide-only">{say('export')}</span>
      </Button>
      <Button onPress={() => setAsking(true)}>
        <Trash2 size={16} aria-hidden />
        <span className="wide-only">{say('trash')}</span>
      </Button>
      <Button look="quiet" onPress={onClear}>
        <X size={16} aria-hidden />
        <span className="wide-only">{say('clear')}</span>
      </Button>
      <Question
        title={say('trashAll', { count })}
        isOpen={isAsking}
        confirmLabel={say('trash')}
        cancelLabel={say('cancel')}
        onConfirm={() => {
          setAsking(false)
          start(say('trashing', { count }), 'automation', { operationId: 'Document.Trash', parameters: {} })
        }}
        onClose={() => setAsking(false)}
      >
        <p>{say('trashAllHint')}</p>
      </Question>
    </Toolbar>
  )
}
