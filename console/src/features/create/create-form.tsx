import { Upload } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { FileTrigger } from 'react-aria-components'
import { createDocument, useDocumentChange } from '../../api/changes.ts'
import { Problem } from '../../api/client.ts'
import { type Document, titleOf } from '../../api/types.ts'
import { Button } from '../../ui/button.tsx'
import { Choice } from '../../ui/choice.tsx'
import { DialogActions } from '../../ui/dialog/dialog.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { tell } from '../../ui/toasts.tsx'
import { useTypeNames } from '../documents/type-words.ts'
import type { Values } from '../forms/changes-between.ts'
import { LeaveQuestion } from '../forms/leave-question.tsx'
import { useLayoutOf } from '../pieces/use-pieces.ts'
import { sendFilesTo } from '../uploads/send-files.ts'
import styles from './create-form.module.css'
import { LaidOutFields } from './laid-out-fields.tsx'
import { nameFor } from './name-for.ts'
import { typesFor } from './types-for.ts'
import { useCreateWords } from './words.ts'

interface CreateFormProps {
  readonly folder: Document
  onClose(): void
}

/** What type and which title; or files, each of which becomes a document. */
export function CreateForm({ folder, onClose }: CreateFormProps) {
  const say = useCreateWords()
  const typeName = useTypeNames()
  const types = typesFor(folder)
  const [type, setType] = useState(types.includes('File') ? 'File' : (types[0] ?? ''))
  const [title, setTitle] = useState('')
  const [description, setDescription] = useState('')
  const [values, setValues] = useState<Values>({})
  const [mistakes, setMistakes] = useState<{ readonly [xpath: string]: string }>({})
  const layout = useLayoutOf(type)
  const [mistake, setMistake] = useState<string>()
  const create = useDocumentChange(createDocument)
  if (types.length === 0) return <p role="alert">{say('takesNothing')}</p>
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (title.trim() === '') return setMistake(say('needsTitle'))
    const own = layout === undefined ? {} : values
    const properties = { ...own, 'dc:title': title.trim(), ...(description !== '' && { 'dc:description': description }) }
    create.mutate(
      { parentId: folder.uid, type, name: nameFor(title), properties },
      {
        onSuccess: (made) => {
          tell({ text: say('created', { title: titleOf(made) }) })
          onClose()
        },
        onError: (error) => {
          if (layout !== undefined && error instanceof Problem && error.mistakes !== undefined) setMistakes(error.mistakes)
          else setMistake(error.message)
        },
      },
    )
  }
  const choose = (next: string) => {
    setType(next)
    setValues({})
    setMistakes({})
    setMistake(undefined)
  }
  const options = types
    .map((value) => ({ value, label: typeName(value) }))
    .sort((one, other) => one.label.localeCompare(other.label))
  return (
    <form onSubmit={submit} className={styles.form}>
      <LeaveQuestion isAsked={title !== '' || description !== '' || Object.keys(values).length > 0} />
      <Choice label={say('type')} value={type} options={options} onChange={choose} />
      <TextField label={say('name')} value={title} onChange={setTitle} mistake={mistake} autoFocus maxLength={500} />
      <TextField label={say('description')} lines="several" value={description} onChange={setDescription} />
      {layout === undefined ? null : (
        <LaidOutFields
          key={type}
          folder={folder}
          type={type}
          values={values}
          mistakes={mistakes}
          onChange={(xpath, value) => {
            setValues((before) => ({ ...before, [xpath]: value }))
            setMistakes(({ [xpath]: _mended, ...others }) => others)
          }}
        />
      )}
      <div className={styles.import}>
        <span>{say('importHint')}</span>
        <FileTrigger
          allowsMultiple
          onSelect={(files) => {
            sendFilesTo(folder.uid, [...(files ?? [])])
            onClose()
          }}
        >
          <Button>
            <Upload size={16} aria-hidden />
            {say('import')}
          </Button>
        </FileTrigger>
      </div>
      <DialogActions>
        <Button onPress={onClose}>{say('cancel')}</Button>
        <Button look="main" type="submit" isPending={create.isPending}>
          {say('create')}
        </Button>
      </DialogActions>
    </form>
  )
}
