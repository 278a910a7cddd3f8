import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { documentQuery } from '../../api/documents.ts'
import type { Document } from '../../api/types.ts'
import { Button } from '../../ui/button.tsx'
import { useCommands } from '../../ui/commands.ts'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { DocumentField, onlyFolders } from '../documents/document-field.tsx'
import { Shown } from '../problems/shown.tsx'
import { CreateForm } from './create-form.tsx'
import { typesFor } from './types-for.ts'
import { useCreateWords } from './words.ts'

/** Creates a document, or imports files; not there where the folder takes none. */
export function CreateButton({ folder }: { readonly folder: Document }) {
  const say = useCreateWords()
  const [isOpen, setOpen] = useState(false)
  const isOffered = typesFor(folder).length > 0
  useCommands(isOffered ? [{ id: 'create', label: say('title'), icon: Plus, run: () => setOpen(true) }] : [])
  if (!isOffered) return null
  return (
    <>
      <Button look="main" onPress={() => setOpen(true)}>
        <Plus size={16} aria-hidden />
        {say('new')}
      </Button>
      <Dialog title={say('title')} isOpen={isOpen} onClose={() => setOpen(false)}>
        <CreateInFolder folder={folder} onClose={() => setOpen(false)} />
      </Dialog>
    </>
  )
}

/** In the folder that one looks at, unless another one is chosen. */
function CreateInFolder({ folder: here, onClose }: { readonly folder: Document; onClose(): void }) {
  const say = useCreateWords()
  const [chosen, choose] = useState(here)
  const query = useQuery({
    ...documentQuery({ id: chosen.uid }),
    ...(chosen.uid === here.uid && { initialData: here, staleTime: Number.POSITIVE_INFINITY }),
  })
  return (
    <>
      <DocumentField label={say('where')} chosen={chosen} condition={onlyFolders} onChoose={choose} />
      <Shown query={query} waiting={<Skeleton />}>
        {(folder) => <CreateForm key={folder.uid} folder={folder} onClose={onClose} />}
      </Shown>
    </>
  )
}
