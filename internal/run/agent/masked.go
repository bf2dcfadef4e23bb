package agent

import (
	"errors"
	"slices"

	"plimsoll/internal/base/secret"
)

// masked returns the message without the values of the request's secrets: an error may quote the output of tools and
// servers.
func masked(m Message, secrets secret.Values) Message {
	if len(secrets) == 0 {
		return m
	}
	if m.Trial != nil {
		if u := m.Trial.Generator; u != nil {
			u.First = secrets.Mask(u.First)
		}
		m.Trial.Void = secrets.Mask(m.Trial.Void)
		for i, d := range m.Trial.Doubts {
			m.Trial.Doubts[i] = secrets.Mask(d)
		}
		for key, v := range m.Trial.Keys {
			m.Trial.Keys[key] = secrets.Mask(v)
		}
	}
	if m.Event != nil {
		m.Event.Detail = secrets.Mask(m.Event.Detail)
	}
	if m.Fault != nil {
		m.Fault.Message = secrets.Mask(m.Fault.Message)
	}
	return m
}

// maskedError returns the error that Do promises, without the values of secrets.
func maskedError(err error, secrets secret.Values) error {
	var lost Lost
	var gone Unreachable
	switch {
	case len(secrets) == 0 || err == nil:
	case errors.As(err, &lost):
		return Lost{secrets.Mask(lost.Reason), lost.Gone}
	case errors.As(err, &gone):
		return Unreachable{gone.On, errors.New(secrets.Mask(gone.Err.Error()))}
	}
	return err
}

// given returns the secrets that the sides of a request refer to; no others leave this process.
func given(secrets secret.Values, req Request) secret.Values {
	sides := slices.Clone(req.Sides)
	if req.Order != nil {
		sides = append(sides, req.Order.Sides...)
	}
	if req.Side != nil {
		sides = append(sides, *req.Side)
	}
	out := secret.Values{}
	for _, s := range sides {
		for _, value := range s.Params {
			for _, key := range secret.Keys(value) {
				if held, ok := secrets[key]; ok {
					out[key] = held
				}
			}
		}
	}
	return out
}
