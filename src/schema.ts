/** The whole API: the schema of every `*.graphql.ts`. */
import './generated/graphql-files.ts'
import { specifiedDirectives } from 'graphql'
import { describeAccess } from './kit/schema/access-text.ts'
import { builder } from './kit/schema/builder.ts'
import { describeNulls } from './kit/schema/null-text.ts'
import { costDirectives } from './kit/schema/sdl.ts'

export const schema = builder.toSchema({ directives: [...specifiedDirectives, ...costDirectives] })
describeNulls(schema)
describeAccess(schema)
