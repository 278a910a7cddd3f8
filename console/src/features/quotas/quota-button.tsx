import { useQuery } from '@tanstack/react-query'
import { Gauge } from 'lucide-react'
import { Suspense, useState } from 'react'
import { meQuery } from '../../api/documents.ts'
import { type Document, isFolder } from '../../api/types.ts'
import { Button } from '../../ui/button.tsx'
import { later } from '../problems/later.tsx'
import { useQuotaWords } from './words.ts'

const QuotaDialog = later(async () => (await import('./quota-dialog.tsx')).QuotaDialog, { isOver: true })

/** Sets the quota of a folder, or changes it. */
export function QuotaButton({ document }: { readonly document: Document }) {
  const say = useQuotaWords()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button look="quiet" onPress={() => setOpen(true)}>
        <Gauge size={16} aria-hidden />
        <span className="wide-only">{say(document.contextParameters?.quota ? 'change' : 'set')}</span>
      </Button>
      {isOpen ? (
        <Suspense>
          <QuotaDialog document={document} onClose={() => setOpen(false)} />
        </Suspense>
      ) : null}
    </>
  )
}

/** For administrators, on what has none yet; where there is one, it stands beside what is used. */
export function FirstQuotaButton({ document }: { readonly document: Document }) {
  const { data: me } = useQuery(meQuery)
  const canHaveOne = isFolder(document) && !document.isProxy && !document.isVersion && !document.isTrashed
  if (!me?.isAdministrator || !canHaveOne || document.contextParameters?.quota) return null
  return <QuotaButton document={document} />
}
