/** Google keeps to an order of keys for sure only if each object of the schema names it; older models sort them. */
type Schema = Readonly<Record<string, unknown>>

const isSchema = (value: unknown): value is Schema => typeof value === 'object' && value !== null

const inside = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(inside)
  return isSchema(value) ? withPropertyOrder(value) : value
}

/** The schema with its order of keys spelled out, nested objects included. */
export const withPropertyOrder = ({ properties, ...schema }: Schema): Schema => ({
  ...Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, inside(value)])),
  ...(isSchema(properties) && {
    properties: Object.fromEntries(Object.entries(properties).map(([key, value]) => [key, inside(value)])),
    propertyOrdering: Object.keys(properties),
  }),
})
