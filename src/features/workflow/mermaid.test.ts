import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defineWorkflow } from '../../automation/workflow.ts'
import { mermaidOf } from './mermaid.ts'
import { serialReview } from './models/serial-review.ts'

test('a workflow is drawn with a shape for each kind of node, and texts that cannot end it', () => {
  const model = defineWorkflow({
    name: 'Drawn',
    nodes: {
      begin: { title: 'Say "go" #1', isStart: true, transitions: [{ name: 'on', to: 'ask' }] },
      ask: {
        task: { buttons: [] },
        transitions: [
          { name: 'yes', to: 'join', when: 'true' },
          { name: 'no', to: 'other', label: '<b>no</b>' },
        ],
      },
      other: { child: { model: 'Drawn' }, transitions: [{ name: 'on', to: 'join' }] },
      join: { merge: 'one', transitions: [{ name: 'on', to: 'end' }] },
      end: { isStop: true },
    },
  })
  assert.equal(
    mermaidOf(model),
    [
      'flowchart TD',
      '  n0(["Say #quot;go#quot; #35;1"])',
      '  n1["ask"]',
      '  n2[["other"]]',
      '  n3{{"join"}}',
      '  n4(["end"])',
      '  n0 --> n1',
      '  n1 -->|"yes"| n3',
      '  n1 -->|"#lt;b>no#lt;/b>"| n2',
      '  n2 --> n3',
      '  n3 --> n4',
      '',
    ].join('\n'),
  )
})

test('labels are those of a language', () => {
  const drawn = mermaidOf(serialReview)
  assert.ok(drawn.includes('["Choose Participants"]') && drawn.includes('|"Review Start"|'), drawn)
})
