/** Prints an OpenAPI document as types. */
import { registerHooks } from 'node:module'

// openapi-typescript prints with the API of the compiler, which TypeScript 7 no longer has.
registerHooks({
  resolve: (name, context, next) => next(name === 'typescript' ? 'typescript-5' : name, context),
})
const { default: openapiTypes, astToString } = await import('openapi-typescript')

/** @param isNamed whether each schema among the components is a type by its name, too */
export const typesOfDocument = async (document: object, isNamed = false): Promise<string> =>
  astToString(
    await openapiTypes(document as never, {
      silent: true,
      rootTypes: isNamed,
      rootTypesNoSchemaPrefix: isNamed,
      rootTypesKeepCasing: isNamed,
    }),
  )
