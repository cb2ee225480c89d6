const salon = ({ React, getSystem }) => ({
  wrapComponents: {
    OperationSummaryPath: (Original) => (props) => {
      const [path, method] = ['path', 'method'].map((name) => props.operationProps.get(name));
      const document = getSystem().specSelectors.specJson();
      const standing =
        document.getIn(['paths', path, method, 'x-standing']) ||
        document.getIn(['webhooks', path, method, 'x-standing']);
      const badge =
        standing &&
        React.createElement(
          'span',
          {
            key: 'badge',
            className: `salon-badge salon-${standing}`,
          },
          standing,
        );
      return [React.createElement(Original, { ...props, key: 'path' }), badge];
    },
  },
  components: {
    FilterContainer: ({ layoutActions, layoutSelectors }) =>
      React.createElement(
        'div',
        { className: 'wrapper salon-search' },
        React.createElement('input', {
          type: 'search',
          placeholder: 'Search operations',
          'aria-label': 'Search operations',
          value: asText(layoutSelectors.currentFilter()),
          onChange: ({ target }) => layoutActions.updateFilter(target.value || true),
        }),
      ),
  },
  fn: {
    opsFilter: (tags, phrase) => {
      const words = phrase.toLowerCase().split(/\s+/);
      const matches = (operation) => {
        const fields = ['summary', 'operationId', 'x-standing'].map((name) =>
          operation.getIn(['operation', name]),
        );
        const text = [operation.get('method'), operation.get('path'), ...fields].join(' ').toLowerCase();
        return words.every((word) => text.includes(word));
      };
      return tags
        .map((tag) => tag.update('operations', (operations) => operations.filter(matches)))
        .filter((tag) => tag.get('operations').size > 0);
    },
  },
});

// Without a search, Swagger UI's filter is true.
function asText(filter) {
  return typeof filter === 'string' ? filter : '';
}

SwaggerUIBundle({
  url: '/openapi.json',
  domNode: document.getElementById('reference'),
  plugins: [salon],
  deepLinking: true,
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  filter: true,
  validatorUrl: null,
});
